import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddingFailed, type Embedder } from '../embedder.js';

export interface EmbedderUnderTest {
  readonly embedder: Embedder;
  close(): Promise<void>;
}

export interface ProviderEmbedderUnderTest extends EmbedderUnderTest {
  /**
   * Makes the provider respond to the next request with a required delay (`requestDelayOnce`) or with a permanent
   * rejection (`rejectOnce`).
   */
  readonly provider: { requestDelayOnce(): void; rejectOnce(): void };
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

/** Asserts the guarantees of `Embedder`. */
export function describeEmbedder(name: string, open: () => Promise<EmbedderUnderTest>): void {
  describeWithEmbedder(name, open, testVectors);
}

/** Asserts the guarantees of `Embedder` for an adapter that requests vectors from a provider. */
export function describeProviderEmbedder(name: string, open: () => Promise<ProviderEmbedderUnderTest>): void {
  describeWithEmbedder(name, open, (getUnderTest) => {
    testVectors(getUnderTest);
    testProviderFailures(getUnderTest);
  });
}

function describeWithEmbedder<UnderTest extends EmbedderUnderTest>(
  name: string,
  open: () => Promise<UnderTest>,
  defineTests: (getUnderTest: () => UnderTest) => void,
): void {
  describe(`${name} as an embedder`, () => {
    let underTest: UnderTest;
    beforeAll(async () => {
      underTest = await open();
    });
    afterAll(async () => underTest.close());
    defineTests(() => underTest);
  });
}

function testVectors(getUnderTest: () => EmbedderUnderTest): void {
  let embedder: Embedder;
  beforeAll(() => {
    ({ embedder } = getUnderTest());
  });

  it('the embedder returns one vector per text in the given order', async () => {
    const together = await embedder.embedDocuments(TEXTS);
    expect(together).toHaveLength(TEXTS.length);
    for (const [index, text] of TEXTS.entries()) {
      const [alone] = await embedder.embedDocuments([text]);
      expect(computeCosine(together[index], alone)).toBeGreaterThan(0.999);
    }
  });

  it('the embedder returns the vectors of many texts in the order of the texts', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `entry ${index} about topic${index}`);
    const vectors = await embedder.embedDocuments(texts);
    expect(vectors).toHaveLength(texts.length);
    for (const index of [0, 1, 149, 298, 299]) {
      const [alone] = await embedder.embedDocuments([texts[index] ?? '']);
      expect(computeCosine(vectors[index], alone)).toBeGreaterThan(0.999);
    }
  });

  it('the embedder returns vectors of unit length with the declared number of dimensions', async () => {
    for (const vector of [...(await embedder.embedDocuments(TEXTS)), await embedder.embedQuery('how long?')]) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector).toHaveLength(embedder.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  it('the embedder returns the same vector for the same text', async () => {
    const [first, second] = await embedder.embedDocuments(['the same', 'the same']);
    const [later] = await embedder.embedDocuments(['the same']);
    expect(computeCosine(first, second)).toBeGreaterThan(0.999);
    expect(computeCosine(first, later)).toBeGreaterThan(0.999);
  });

  it('the embedder returns different vectors for different texts', async () => {
    const [one, other] = await embedder.embedDocuments(['refunds take five days', 'our office is in Lisbon']);
    expect(computeCosine(one, other)).toBeLessThan(0.99);
  });

  it('the embedder reports every vector once to `onEmbedded`, with the index of its text', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => 'word '.repeat(1 + ((index * 37) % 90)) + String(index));
    const reported = new Map<number, Float32Array>();
    let times = 0;
    const vectors = await embedder.embedDocuments(texts, {
      onEmbedded: (part) => {
        times += part.length;
        for (const { index, vector } of part) reported.set(index, vector);
      },
    });
    expect(times).toBe(texts.length);
    for (const [index, vector] of vectors.entries()) expect(reported.get(index)).toEqual(vector);
  });

  it('the embedder returns no vectors if there are no texts', async () => {
    await expect(embedder.embedDocuments([])).resolves.toEqual([]);
  });

  it('the embedder throws the abort reason if the signal is already aborted at the call', async () => {
    const signal = AbortSignal.abort(new Error('aborted by the caller'));
    await expect(embedder.embedDocuments(['x'], { signal })).rejects.toThrow('aborted by the caller');
    await expect(embedder.embedQuery('x', { signal })).rejects.toThrow('aborted by the caller');
  });
}

function testProviderFailures(getUnderTest: () => ProviderEmbedderUnderTest): void {
  it('if the provider requests a delay once, the embedder waits and then returns the vector', async () => {
    const { embedder, provider } = getUnderTest();
    provider.requestDelayOnce();
    await expect(embedder.embedDocuments(['delayed'])).resolves.toHaveLength(1);
  });

  it('if the provider rejects a request for a permanent reason, the embedder throws EmbeddingFailed', async () => {
    const { embedder, provider } = getUnderTest();
    provider.rejectOnce();
    await expect(embedder.embedDocuments(['refused'])).rejects.toThrow(EmbeddingFailed);
  });
}

function computeCosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (one === undefined || other === undefined) throw new Error('expected two vectors to compare, found undefined');
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
