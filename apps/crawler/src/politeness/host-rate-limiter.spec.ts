import { createMemoryPacing } from '@quarry/queue/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.js';
import { createHostPacing, HostBusy, type HostPacing, HostRateLimiter } from './host-rate-limiter.js';
const never = new AbortController().signal;
const log = { warn: () => undefined };
const doNothing = (): Promise<void> => Promise.resolve();

/**
 * Creates a function `limiter` that returns the rate limiter of another crawler at each call. All these rate limiters
 * share one `Pacing`, which delays the requests of all crawlers to a host.
 */
function createSharedLimiters(concurrency: number, clock: VirtualClock = createVirtualClock()) {
  const pacing = createMemoryPacing(clock.now);
  const createPacing = (): HostPacing => createHostPacing({ pacing, clock, log });
  return { clock, createPacing, limiter: () => new HostRateLimiter({ concurrency, pacing: createPacing(), clock }) };
}

describe('HostRateLimiter', () => {
  it('the rate limiter starts requests to a host in the order of the calls, one delay apart', async () => {
    const { clock, limiter } = createSharedLimiters(10);
    const one = limiter();
    const starts: (readonly [number, number])[] = [];
    const recordStart = (n: number) => async () => void starts.push([n, clock.now()]);
    await clock.run(Promise.all([0, 1, 2, 3].map((n) => one.runRequest('a', { delayMs: 100 }, never, recordStart(n)))));
    expect(starts).toEqual([
      [0, 0],
      [1, 100],
      [2, 200],
      [3, 300],
    ]);
  });

  it('the rate limiter never exceeds the maximum number of concurrent requests to a host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.scheduler(), async (concurrency, scheduler) => {
        const limiter = createSharedLimiters(concurrency).limiter();
        let active = 0;
        let peak = 0;
        const runs = Array.from({ length: 9 }, (_, n) =>
          limiter.runRequest('a', { delayMs: 0 }, never, async () => {
            active += 1;
            peak = Math.max(peak, active);
            await scheduler.schedule(Promise.resolve(n));
            active -= 1;
          }),
        );
        await scheduler.waitFor(Promise.all(runs));
        expect(peak).toBe(concurrency);
      }),
      { numRuns: 50 },
    );
  });

  it('the rate limiter limits the requests to each host separately', async () => {
    const limiter = createSharedLimiters(1).limiter();
    const { promise, resolve: release } = Promise.withResolvers<string>();
    const active = limiter.runRequest('slow', { delayMs: 0 }, never, () => promise);
    await expect(limiter.runRequest('b', { delayMs: 0 }, never, () => Promise.resolve('response'))).resolves.toBe(
      'response',
    );
    release('end');
    await active;
  });

  it('the rate limiter starts the next request after a failed request', async () => {
    const limiter = createSharedLimiters(1).limiter();
    await expect(
      limiter.runRequest('a', { delayMs: 0 }, never, () => Promise.reject(new Error('request failed'))),
    ).rejects.toThrow('request failed');
    await expect(limiter.runRequest('a', { delayMs: 0 }, never, () => Promise.resolve('next'))).resolves.toBe('next');
  });

  it('the rate limiter rejects an aborted request, and starts the requests behind it in the queue', async () => {
    const limiter = createSharedLimiters(1).limiter();
    const { promise, resolve: release } = Promise.withResolvers<string>();
    const first = limiter.runRequest('a', { delayMs: 0 }, never, () => promise);
    const stop = new AbortController();
    const second = limiter.runRequest('a', { delayMs: 0 }, stop.signal, () => Promise.resolve('second'));
    const third = limiter.runRequest('a', { delayMs: 0 }, never, () => Promise.resolve('third'));
    stop.abort(new Error('stopped'));
    release('first');
    await expect(second).rejects.toThrow('stopped');
    await expect(first).resolves.toBe('first');
    await expect(third).resolves.toBe('third');
  });

  it('the rate limiter rejects a request that is aborted during its delay', async () => {
    const { clock, limiter } = createSharedLimiters(2);
    const one = limiter();
    await one.runRequest('a', { delayMs: 60_000 }, never, doNothing);
    const stop = new AbortController();
    const waiting = one.runRequest('a', { delayMs: 60_000 }, stop.signal, doNothing);
    const behind = one.runRequest('a', { delayMs: 60_000 }, never, async () => clock.now());
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(await clock.run(behind)).toBe(60_000);
  });

  it('if a request would wait longer than its `maxWaitMs`, the rate limiter rejects the request immediately, without sending it', async () => {
    const { clock, limiter } = createSharedLimiters(2);
    const one = limiter();
    await one.runRequest('a', { delayMs: 7_000 }, never, doNothing);
    const start = { delayMs: 7_000, maxWaitMs: 2_000 };
    let requests = 0;
    const countRequest = async (): Promise<void> => void (requests += 1);
    await expect(one.runRequest('a', start, never, countRequest)).rejects.toMatchObject({
      waitMs: 7_000,
      gapMs: 7_000,
    });
    await clock.run(clock.wait(5_000));
    await clock.run(one.runRequest('a', start, never, countRequest));
    expect([clock.now(), requests]).toEqual([7_000, 1]);
  });

  it('if several jobs wait for the same host, the rate limiter schedules their next starts one delay apart', async () => {
    const { clock, limiter } = createSharedLimiters(2);
    const one = limiter();
    const busy = new HostBusy('a', 5_000, 7_000);
    expect([1, 2, 3].map(() => one.scheduleReturn(busy))).toEqual([5_000, 12_000, 19_000]);
    expect(one.scheduleReturn(new HostBusy('b', 5_000, 7_000))).toBe(5_000);
    await clock.run(clock.wait(60_000));
    expect(one.scheduleReturn(busy)).toBe(5_000);
  });

  describe('HostRateLimiter with several crawlers', () => {
    it('the rate limiters of several crawlers separate their requests to a host by exactly the delay', async () => {
      const { clock, limiter } = createSharedLimiters(2);
      const starts: number[] = [];
      const recordStart = async (): Promise<void> => void starts.push(clock.now());
      const limiters = [limiter(), limiter(), limiter()];
      await clock.run(
        Promise.all(
          limiters.flatMap((each) =>
            [1, 2, 3, 4].map(() => each.runRequest('a', { delayMs: 200 }, never, recordStart)),
          ),
        ),
      );
      expect(starts).toEqual(Array.from({ length: 12 }, (_, n) => n * 200));
    });

    it('the rate limiter pauses a host for all crawlers, including requests that already wait', async () => {
      const { clock, limiter, createPacing } = createSharedLimiters(2);
      const [one, other] = [limiter(), limiter()];
      await one.runRequest('a', { delayMs: 200 }, never, doNothing);
      const waiting = other.runRequest('a', { delayMs: 200 }, never, async () => clock.now());
      await createPacing().pauseHost('a', 120_000, never);
      expect(await clock.run(waiting)).toBe(120_000);
    });

    it('if a crawler is killed during a request, the rate limiter of another crawler keeps the delay after that request', async () => {
      const { clock, limiter } = createSharedLimiters(2);
      const dead = limiter();
      void dead.runRequest('a', { delayMs: 7_000 }, never, () => new Promise(() => undefined));
      const started = await clock.run(limiter().runRequest('a', { delayMs: 7_000 }, never, async () => clock.now()));
      expect(started).toBe(7_000);
    });

    it('the rate limiters of several crawlers together limit the number of concurrent requests to a slow host', async () => {
      const { clock, limiter } = createSharedLimiters(2);
      let active = 0;
      const peaks: number[] = [];
      const requestSlowly = async (): Promise<void> => {
        active += 1;
        peaks.push(active);
        await clock.wait(6_000);
        active -= 1;
      };
      const limiters = [limiter(), limiter(), limiter(), limiter()];
      const requestAll = (times: number): Promise<unknown> =>
        clock.run(
          Promise.all(
            limiters.flatMap((each) =>
              Array.from({ length: times }, async () => each.runRequest('a', { delayMs: 200 }, never, requestSlowly)),
            ),
          ),
        );
      // Each limiter measures the duration of its first request.
      await requestAll(1);
      expect(Math.max(...peaks.splice(0))).toBe(4);
      await requestAll(10);
      expect(Math.max(...peaks)).toBe(2);
    });
  });
});

describe('createHostPacing', () => {
  it('while the shared store of the rate limits is unavailable, the host pacing starts no request, and logs one warning', async () => {
    const clock = createVirtualClock();
    const warnings: unknown[] = [];
    const shared = createMemoryPacing(clock.now);
    const failUntil10s = <T>(call: () => Promise<T>): Promise<T> =>
      clock.now() < 10_000 ? Promise.reject(new Error('unavailable')) : call();
    const pacing: typeof shared = {
      acquireTurn: (key, gapMs) => failUntil10s(() => shared.acquireTurn(key, gapMs)),
      blockKey: (key, ms) => failUntil10s(() => shared.blockKey(key, ms)),
    };
    const hostPacing = createHostPacing({ pacing, clock, log: { warn: (fields: unknown) => warnings.push(fields) } });
    await clock.run(hostPacing.pauseHost('a', 5_000, never));
    await clock.run(hostPacing.waitForStart('a', 0, never));
    expect(clock.now()).toBe(15_000);
    expect(warnings).toHaveLength(1);
  });

  it('the host pacing stops waiting for an unavailable store when the signal of the request is aborted', async () => {
    const rejectCall = (): Promise<never> => Promise.reject(new Error('unavailable'));
    const clock = createVirtualClock();
    const stop = new AbortController();
    const start = createHostPacing({
      pacing: { acquireTurn: rejectCall, blockKey: rejectCall },
      clock,
      log,
    }).waitForStart('a', 0, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(start).rejects.toThrow('stopped');
  });
});
