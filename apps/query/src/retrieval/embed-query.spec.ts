import { EmbeddingFailed, type Embedder } from '@quarry/embedder';
import { createLog } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { EMBEDDER, EMBEDDING } from '../testing/knowledge.js';
import { createEmbedQuery, type EmbedQuery } from './embed-query.js';

const log = createLog('test', 'silent');
const NEVER = new AbortController().signal;

/** Creates an embedder that counts its calls, and fails until `isDown` is set to false. */
function createBrokenEmbedder(): Embedder & { isDown: boolean; calls: number } {
  const embedder = {
    ...EMBEDDER,
    isDown: true,
    calls: 0,
    embedQuery: async (text: string) => {
      embedder.calls += 1;
      if (embedder.isDown) throw new EmbeddingFailed('embedder_unavailable', 'down');
      return EMBEDDER.embedQuery(text);
    },
  };
  return embedder;
}

async function embedRepeatedly(embedQuery: EmbedQuery, times: number): Promise<(Float32Array | undefined)[]> {
  const vectors = [];
  for (let at = 0; at < times; at += 1) vectors.push(await embedQuery(EMBEDDING, 'x', { log, signal: NEVER }));
  return vectors;
}

describe('createEmbedQuery', () => {
  it('stops calling an unavailable embedder, except for one probe at a time, and recovers with it', async () => {
    const clock = { ms: 0 };
    const embedder = createBrokenEmbedder();
    const embedQuery = createEmbedQuery(() => embedder, { failures: 3, openMs: 1_000, now: () => clock.ms });
    expect(new Set(await embedRepeatedly(embedQuery, 10))).toEqual(new Set([undefined]));
    expect(embedder.calls).toBe(3);
    clock.ms = 1_000;
    await Promise.all(Array.from({ length: 10 }, () => embedRepeatedly(embedQuery, 1)));
    expect(embedder.calls).toBe(4);
    embedder.isDown = false;
    clock.ms = 2_000;
    expect((await embedRepeatedly(embedQuery, 5)).every((vector) => vector instanceof Float32Array)).toBe(true);
  });

  it('still calls an embedder that refuses single texts', async () => {
    const refusing = {
      ...createBrokenEmbedder(),
      embedQuery: () => Promise.reject(new EmbeddingFailed('embedder_refused', 'no')),
    };
    let calls = 0;
    const counting = { ...refusing, embedQuery: () => ((calls += 1), refusing.embedQuery()) };
    await embedRepeatedly(
      createEmbedQuery(() => counting),
      5,
    );
    expect(calls).toBe(5);
  });

  it('throws the caller’s abort reason, and does not count it as a failure of the embedder', async () => {
    const embedder = createBrokenEmbedder();
    const embedQuery = createEmbedQuery(() => embedder);
    for (let at = 0; at < 5; at += 1) {
      const leaving = new AbortController();
      const reason = new Error('the caller left');
      embedder.embedQuery = async (_, options) => {
        leaving.abort(reason);
        options?.signal?.throwIfAborted();
        return new Float32Array(3);
      };
      await expect(embedQuery(EMBEDDING, 'x', { log, signal: leaving.signal })).rejects.toBe(reason);
    }
    embedder.embedQuery = (text) => EMBEDDER.embedQuery(text);
    expect((await embedRepeatedly(embedQuery, 1))[0]).toBeInstanceOf(Float32Array);
  });
});
