import { describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { createRateLimiter, type RateLimiterOptions, type RateLimiter } from './rate-limiter.js';
import type { RequestCounts } from './request-counts.js';

const START = Date.parse('2026-06-01T12:00:00Z');

/** Creates an in-memory count store that several rate limiters share, with a clock that the test controls. */
function createSharedStore() {
  const minutes = new Map<string, { requests: number; endsAt: number }>();
  const logged: string[] = [];
  const store = { now: START, isUnavailable: false, calls: 0, minutes, logged };
  const counts: RequestCounts = {
    add: async (keyId, requests) => {
      store.calls += 1;
      if (store.isUnavailable) throw new Error('the store is unavailable');
      const known = minutes.get(keyId);
      const minute =
        known !== undefined && known.endsAt > store.now ? known : { requests: 0, endsAt: store.now + 60_000 };
      minute.requests += requests;
      minutes.set(keyId, minute);
      return { requests: minute.requests, msLeft: minute.endsAt - store.now };
    },
    close: () => Promise.resolve(),
  };
  const log: RateLimiterOptions['log'] = {
    info: (text: unknown) => logged.push(String(text)),
    warn: (_fields: unknown, text?: string) => logged.push(text ?? ''),
  };
  const createGatewayLimiter = (limit: number): RateLimiter =>
    createRateLimiter({ limit, counts, clock: () => new Date(store.now), log });
  return { store, createGatewayLimiter };
}

function countAdmitted(limiter: RateLimiter, requests: number, key = 'key'): number {
  return Array.from({ length: requests }, () => limiter.admit(key)).filter((admission) => admission.admitted).length;
}

describe('a rate limiter', () => {
  it('a rate limiter admits requests up to the limit, and returns the number of remaining requests and the seconds until the count is reset', async () => {
    const { createGatewayLimiter } = createSharedStore();
    const limiter = createGatewayLimiter(3);
    expect(limiter.admit('key')).toEqual({ admitted: true, limit: 3, remaining: 2, resetSeconds: 60 });
    expect(limiter.admit('key')).toMatchObject({ admitted: true, remaining: 1 });
    expect(limiter.admit('key')).toMatchObject({ admitted: true, remaining: 0 });
    expect(limiter.admit('key')).toEqual({ admitted: false, limit: 3, remaining: 0, resetSeconds: 60 });
    expect(limiter.admit('another key')).toMatchObject({ admitted: true, remaining: 2 });
    await limiter.close();
  });

  it('a rate limiter resets the count of a key one minute after the first request of the key', async () => {
    const { store, createGatewayLimiter } = createSharedStore();
    const limiter = createGatewayLimiter(5);
    expect(countAdmitted(limiter, 9)).toBe(5);
    store.now += 59_999;
    expect(limiter.admit('key')).toMatchObject({ admitted: false, resetSeconds: 1 });
    store.now += 1;
    expect(countAdmitted(limiter, 9)).toBe(5);
    await limiter.close();
  });

  it('after its next call to the shared store, a rate limiter also counts the requests to other gateways', async () => {
    const { store, createGatewayLimiter } = createSharedStore();
    const [one, other] = [createGatewayLimiter(10), createGatewayLimiter(10)];
    expect(countAdmitted(one, 8)).toBe(8);
    await expectEventually(() => store.minutes.get('key')?.requests).toBe(8);
    expect(countAdmitted(other, 1)).toBe(1);
    await expectEventually(() => countAdmitted(other, 0) + (store.minutes.get('key')?.requests ?? 0)).toBe(9);
    expect(countAdmitted(other, 5)).toBe(1);
    await Promise.all([one.close(), other.close()]);
  });

  it('a rate limiter adds 500 requests to the count in the shared store with at most two calls', async () => {
    const { store, createGatewayLimiter } = createSharedStore();
    const limiter = createGatewayLimiter(1_000);
    countAdmitted(limiter, 500);
    await expectEventually(() => store.minutes.get('key')?.requests).toBe(500);
    expect(store.calls).toBeLessThanOrEqual(2);
    await limiter.close();
  });

  it('while the shared store is unavailable, a rate limiter counts only the requests to its own gateway, and logs the outage once', async () => {
    const { store, createGatewayLimiter } = createSharedStore();
    store.isUnavailable = true;
    const limiter = createGatewayLimiter(4);
    expect(countAdmitted(limiter, 2)).toBe(2);
    await expectEventually(() => store.logged.length).toBe(1);
    expect(countAdmitted(limiter, 9)).toBe(2);
    await expectEventually(() => store.calls).toBe(2);
    expect(store.logged).toEqual([
      'the shared request counts of the rate limit are unavailable; this gateway limits only its own requests',
    ]);
    await limiter.close();
  });
});
