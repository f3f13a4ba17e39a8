import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddingFailed, type Embedder } from '../embedder.js';

export interface EmbedderUnderTest {
  readonly embedder: Embedder;
  /** For an adapter with a provider: what the provider does with the next request. */
  readonly provider?: { waitOnce(): void; refuseOnce(): void };
  close(): Promise<void>;
}

const TEXTS = [
  'The warranty lasts two years.',
  'Le soleil brille aujourd’hui.',
  'Zwei Jahre Garantie.',
  '保証は二年間です。',
  'line one\nline two\n\n  indented',
  '🙂',
  '   ',
];

/** The port's guarantees as tests. */
export function describeEmbedder(name: string, open: () => Promise<EmbedderUnderTest>): void {
  describe(`${name} as an embedder`, () => {
    let underTest: EmbedderUnderTest;
    let embedder: Embedder;
    beforeAll(async () => {
      underTest = await open();
      embedder = underTest.embedder;
    });
    afterAll(async () => underTest.close());

    it('gives one vector a text, in the order given', async () => {
      const together = await embedder.embedDocuments(TEXTS);
      expect(together).toHaveLength(TEXTS.length);
      for (const [index, text] of TEXTS.entries()) {
        const [alone] = await embedder.embedDocuments([text]);
        expect(cosine(together[index], alone)).toBeGreaterThan(0.999);
      }
    });

    it('keeps the order over many texts', async () => {
      const texts = Array.from({ length: 300 }, (_, index) => `entry ${index} about topic${index}`);
      const vectors = await embedder.embedDocuments(texts);
      expect(vectors).toHaveLength(texts.length);
      for (const index of [0, 1, 149, 298, 299]) {
        const [alone] = await embedder.embedDocuments([texts[index] ?? '']);
        expect(cosine(vectors[index], alone)).toBeGreaterThan(0.999);
      }
    });

    it('gives vectors of unit length, as long as it says', async () => {
      for (const vector of [...(await embedder.embedDocuments(TEXTS)), await embedder.embedQuery('how long?')]) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }
    });

    it('gives the same vector for the same text', async () => {
      const [first, second] = await embedder.embedDocuments(['the same', 'the same']);
      const [later] = await embedder.embedDocuments(['the same']);
      expect(cosine(first, second)).toBeGreaterThan(0.999);
      expect(cosine(first, later)).toBeGreaterThan(0.999);
    });

    it('tells texts apart', async () => {
      const [one, other] = await embedder.embedDocuments(['refunds take five days', 'our office is in Lisbon']);
      expect(cosine(one, other)).toBeLessThan(0.99);
    });

    it('tells every vector once, with the place of its text', async () => {
      const texts = Array.from({ length: 100 }, (_, index) => 'word '.repeat(1 + ((index * 37) % 90)) + String(index));
      const told = new Map<number, Float32Array>();
      let times = 0;
      const vectors = await embedder.embedDocuments(texts, {
        onEmbedded: (part) => {
          times += part.length;
          for (const { index, vector } of part) told.set(index, vector);
        },
      });
      expect(times).toBe(texts.length);
      for (const [index, vector] of vectors.entries()) expect(told.get(index)).toEqual(vector);
    });

    it('embeds no texts to no vectors', async () => {
      await expect(embedder.embedDocuments([])).resolves.toEqual([]);
    });

    it('does not begin when it is already aborted', async () => {
      const signal = AbortSignal.abort(new Error('the caller left'));
      await expect(embedder.embedDocuments(['x'], { signal })).rejects.toThrow('the caller left');
      await expect(embedder.embedQuery('x', { signal })).rejects.toThrow('the caller left');
    });

    it('waits for a provider that asks to wait', async ({ skip }) => {
      if (underTest.provider === undefined) skip('there is no provider behind it');
      underTest.provider?.waitOnce();
      await expect(embedder.embedDocuments(['patience'])).resolves.toHaveLength(1);
    });

    it('throws EmbeddingFailed for what fails for good', async ({ skip }) => {
      if (underTest.provider === undefined) skip('there is no provider behind it');
      underTest.provider?.refuseOnce();
      await expect(embedder.embedDocuments(['refused'])).rejects.toThrow(EmbeddingFailed);
    });
  });
}

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (one === undefined || other === undefined) throw new Error('a vector is missing');
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
