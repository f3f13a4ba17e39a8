import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitUntilReachable } from './wait-until-reachable.js';

/** Starts a wait for a server that does not respond to the first `unanswered` test requests. */
function startWait(unanswered: number) {
  const wait = { requests: 0, hasEnded: false };
  const probe = async (): Promise<boolean> => {
    wait.requests += 1;
    return Promise.resolve(wait.requests > unanswered);
  };
  void waitUntilReachable(probe).then(() => {
    wait.hasEnded = true;
  });
  return wait;
}

describe('waitUntilReachable', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waitUntilReachable pauses before the first test request, so that a request that fails again is not repeated at once', async () => {
    const wait = startWait(0);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(wait).toEqual({ requests: 0, hasEnded: false });
    await vi.advanceTimersByTimeAsync(200);
    expect(wait).toEqual({ requests: 1, hasEnded: true });
  });

  it('waitUntilReachable sends a test request every two seconds until the server responds', async () => {
    const wait = startWait(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(wait).toEqual({ requests: 2, hasEnded: false });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(wait).toEqual({ requests: 3, hasEnded: true });
  });
});
