import { type Embedder, EmbeddingFailed } from '@quarry/embedder';
import { createLog } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { EMBEDDER, EMBEDDING } from '../testing/knowledge.js';
import { CircuitBreaker, createEmbedQuery, type EmbedQuery } from './embed-query.js';

const log = createLog('test', 'silent');
const NEVER = new AbortController().signal;

/** Creates an embedder that counts its calls. They fail until the test sets `isDown` to false. */
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

async function embedQueryRepeatedly(embedQuery: EmbedQuery, times: number): Promise<(Float32Array | undefined)[]> {
  const vectors = [];
  for (let at = 0; at < times; at += 1) vectors.push(await embedQuery(EMBEDDING, 'x', { log, signal: NEVER }));
  return vectors;
}

describe('embedQuery', () => {
  it('after repeated failures, embedQuery sends the embedder one query at a time, and all queries after the embedder has answered again', async () => {
    const clock = { ms: 0 };
    const embedder = createBrokenEmbedder();
    const embedQuery = createEmbedQuery(() => embedder, { failures: 3, openMs: 1_000, now: () => clock.ms });
    expect(new Set(await embedQueryRepeatedly(embedQuery, 10))).toEqual(new Set([undefined]));
    expect(embedder.calls).toBe(3);
    clock.ms = 1_000;
    await Promise.all(Array.from({ length: 10 }, () => embedQueryRepeatedly(embedQuery, 1)));
    expect(embedder.calls).toBe(4);
    embedder.isDown = false;
    clock.ms = 2_000;
    expect((await embedQueryRepeatedly(embedQuery, 5)).every((vector) => vector instanceof Float32Array)).toBe(true);
  });

  it('embedQuery continues to call an embedder that refuses individual texts', async () => {
    const refusing = {
      ...createBrokenEmbedder(),
      embedQuery: () => Promise.reject(new EmbeddingFailed('embedder_refused', 'no')),
    };
    let calls = 0;
    const counting = { ...refusing, embedQuery: () => ((calls += 1), refusing.embedQuery()) };
    await embedQueryRepeatedly(
      createEmbedQuery(() => counting),
      5,
    );
    expect(calls).toBe(5);
  });

  it('a refused text shows that the embedder is available, so only failures after it count', async () => {
    const failures = ['embedder_unavailable', 'embedder_refused', 'embedder_unavailable'] as const;
    let calls = 0;
    const embedder: Embedder = {
      ...EMBEDDER,
      embedQuery: (text) => {
        const code = failures[calls];
        calls += 1;
        return code === undefined ? EMBEDDER.embedQuery(text) : Promise.reject(new EmbeddingFailed(code, 'no'));
      },
    };
    const embedQuery = createEmbedQuery(() => embedder, { failures: 2, openMs: 60_000 });
    expect((await embedQueryRepeatedly(embedQuery, 4)).at(-1)).toBeInstanceOf(Float32Array);
  });

  it('a probe whose text the embedder refuses closes the circuit', async () => {
    const clock = { ms: 0 };
    const embedder = createBrokenEmbedder();
    const embedQuery = createEmbedQuery(() => embedder, { failures: 1, openMs: 1_000, now: () => clock.ms });
    await embedQueryRepeatedly(embedQuery, 1);
    clock.ms = 1_000;
    embedder.embedQuery = () => Promise.reject(new EmbeddingFailed('embedder_refused', 'no'));
    await embedQueryRepeatedly(embedQuery, 1);
    embedder.embedQuery = (text) => EMBEDDER.embedQuery(text);
    const vectors = await Promise.all([1, 2].map(() => embedQuery(EMBEDDING, 'x', { log, signal: NEVER })));
    expect(vectors).not.toContain(undefined);
  });

  it('embedQuery throws the caller’s abort reason, and does not count the abort as a failure of the embedder', async () => {
    const embedder = createBrokenEmbedder();
    const embedQuery = createEmbedQuery(() => embedder);
    for (let at = 0; at < 5; at += 1) {
      const leaving = new AbortController();
      const reason = new Error('the caller disconnected');
      embedder.embedQuery = async (_, options) => {
        leaving.abort(reason);
        options?.signal?.throwIfAborted();
        return new Float32Array(3);
      };
      await expect(embedQuery(EMBEDDING, 'x', { log, signal: leaving.signal })).rejects.toBe(reason);
    }
    embedder.embedQuery = (text) => EMBEDDER.embedQuery(text);
    expect((await embedQueryRepeatedly(embedQuery, 1))[0]).toBeInstanceOf(Float32Array);
  });

  it('embedQuery throws the abort reason as soon as the caller’s signal aborts, even if the embedder ignores the signal', async () => {
    const leaving = new AbortController();
    const reason = new Error('the caller disconnected');
    const endless: Embedder = {
      ...EMBEDDER,
      embedQuery: () => {
        queueMicrotask(() => {
          leaving.abort(reason);
        });
        return new Promise<never>(() => undefined);
      },
    };
    const embedQuery = createEmbedQuery(() => endless);
    await expect(embedQuery(EMBEDDING, 'x', { log, signal: leaving.signal })).rejects.toBe(reason);
  });
});

function createBreaker() {
  const clock = { ms: 0 };
  return { clock, breaker: new CircuitBreaker({ failures: 2, openMs: 100, now: () => clock.ms }) };
}

describe('CircuitBreaker', () => {
  it('the circuit breaker admits calls until the maximum number of consecutive calls has failed', () => {
    const { breaker: tested } = createBreaker();
    tested.recordFailure();
    tested.recordResponse();
    tested.recordFailure();
    expect(tested.acquireCall()).toBe(true);
    tested.recordFailure();
    expect(tested.acquireCall()).toBe(false);
  });

  it('after `openMs`, the circuit breaker admits one call as a probe, and no other call until the probe has ended', () => {
    const { breaker: tested, clock } = createBreaker();
    tested.recordFailure();
    tested.recordFailure();
    clock.ms = 99;
    expect(tested.acquireCall()).toBe(false);
    clock.ms = 100;
    expect([1, 2, 3].map(() => tested.acquireCall())).toEqual([true, false, false]);
    tested.recordResponse();
    expect([1, 2].map(() => tested.acquireCall())).toEqual([true, true]);
  });

  it('after a failed probe, the circuit breaker refuses all calls for another `openMs`', () => {
    const { breaker: tested, clock } = createBreaker();
    tested.recordFailure();
    tested.recordFailure();
    clock.ms = 150;
    expect(tested.acquireCall()).toBe(true);
    tested.recordFailure();
    clock.ms = 249;
    expect(tested.acquireCall()).toBe(false);
    clock.ms = 250;
    expect(tested.acquireCall()).toBe(true);
  });

  it('after an abandoned probe, the circuit breaker admits another probe at once', () => {
    const { breaker: tested, clock } = createBreaker();
    tested.recordFailure();
    tested.recordFailure();
    clock.ms = 100;
    expect(tested.acquireCall()).toBe(true);
    tested.recordAbandonedCall();
    expect([tested.acquireCall(), tested.acquireCall()]).toEqual([true, false]);
  });
});
