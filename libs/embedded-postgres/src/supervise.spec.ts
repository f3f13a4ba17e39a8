import { describe, expect, it, onTestFinished } from 'vitest';
import { superviseServer, type Supervision } from './supervise.js';

interface SupervisedTest {
  readonly lines: readonly string[];
  /** Returns the number of attempted restarts. */
  readonly restarts: () => number;
  readonly givenUp: Promise<Error>;
  readonly supervision: Supervision;
}

/** Supervises a stopped server. @param succeeding number of the first restart that succeeds */
function superviseUntil(succeeding: number, restartTimeoutMs = 60_000): SupervisedTest {
  const lines: string[] = [];
  let restarts = 0;
  let running = false;
  const { promise: givenUp, resolve: onGivenUp } = Promise.withResolvers<Error>();
  const supervision = superviseServer(
    {
      isRunning: async () => Promise.resolve(running),
      restart: async () => {
        restarts += 1;
        running = restarts >= succeeding;
        return running ? Promise.resolve() : Promise.reject(new Error('No space left on device'));
      },
    },
    {
      checkMs: 1,
      minBackoffMs: 1,
      maxBackoffMs: 4,
      restartTimeoutMs,
      log: (line) => void lines.push(line),
      onGivenUp,
    },
  );
  onTestFinished(() => supervision.stop());
  return { lines, restarts: () => restarts, givenUp, supervision };
}

describe('superviseServer', () => {
  it('the supervision retries failed restarts with a growing but limited delay, and logs each failure', async () => {
    const { lines } = superviseUntil(6);
    await expect.poll(() => lines.length).toBe(7);
    const formatFailure = (ms: number): string =>
      `PostgreSQL could not be restarted; next attempt in ${ms} ms: No space left on device`;
    expect(lines).toEqual([
      'PostgreSQL stopped running and is being restarted',
      ...[1, 2, 4, 4, 4].map(formatFailure),
      'PostgreSQL runs again, after 6 attempts',
    ]);
  });

  it('if restarts fail for longer than the timeout, the supervision gives up and reports the reason of the last failure', async () => {
    const { givenUp, restarts, supervision } = superviseUntil(Infinity, 50);
    const error = await givenUp;
    expect(error.message).toMatch(/could not be restarted within 0\.05 s\. Remove the cause.*No space left on device/);
    const tried = restarts();
    await supervision.stop();
    expect(restarts()).toBe(tried);
  });

  it('after stop(), the supervision makes no further attempt to restart the server', async () => {
    const { restarts, supervision } = superviseUntil(Infinity);
    await expect.poll(restarts).toBeGreaterThan(0);
    await supervision.stop();
    const tried = restarts();
    await new Promise((resolve) => setImmediate(resolve));
    expect(restarts()).toBe(tried);
  });

  it('the supervision does not restart a server whose state cannot be read', async () => {
    let checks = 0;
    const lines: string[] = [];
    const supervision = superviseServer(
      {
        isRunning: async () => {
          checks += 1;
          return Promise.reject(new Error('EMFILE: too many open files'));
        },
        restart: async () => Promise.reject(new Error('expected no restart')),
      },
      {
        checkMs: 1,
        minBackoffMs: 1,
        maxBackoffMs: 1,
        restartTimeoutMs: 1,
        log: (line) => void lines.push(line),
        onGivenUp: () => undefined,
      },
    );
    await expect.poll(() => checks).toBeGreaterThan(2);
    await supervision.stop();
    expect(lines).toEqual([]);
  });
});
