import { TryLater } from '@quarry/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInMemoryRunGateway, type InMemoryRunGateway } from './testing/in-memory-run-gateway.js';
import { openRunWatch, type RunWatch } from './run-watch.js';

const POLL_MS = 1_000;
const NEVER = new AbortController().signal;

let test: InMemoryRunGateway;
let requests: number;
let warnings: string[];
let watch: RunWatch;
beforeEach(() => {
  vi.useFakeTimers();
  test = createInMemoryRunGateway();
  requests = 0;
  warnings = [];
  test.onCall = () => (requests += 1);
  watch = openRunWatch(test.gateway, { warn: (_fields, message) => warnings.push(message) }, POLL_MS);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits until the signal is aborted, like a request to a slow server. */
const waitUntilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('aborted'));
    });
  });

describe('the run watch', () => {
  it('the run watch requests the states of several runs in one request', async () => {
    const runs = await Promise.all(Array.from({ length: 50 }, () => test.startRun()));
    const [cancelled] = runs;
    if (cancelled !== undefined) await test.endRun(cancelled);
    const states = await Promise.all(runs.map((run) => watch.readState(run)));
    expect(states).toEqual(['cancelled', ...Array.from({ length: 49 }, () => 'wanted')]);
    expect(requests).toBe(1);
  });

  it('readState throws an error if the response of the gateway does not contain the state of the run', async () => {
    const silent = openRunWatch({ readRunStates: () => Promise.resolve([]) }, { warn: () => undefined }, POLL_MS);
    await expect(silent.readState(await test.startRun())).rejects.toThrow(
      'expected the gateway to return the state of run',
    );
  });

  it('runWhileWanted completes the work of a wanted run, and returns `wanted`', async () => {
    let done = false;
    const state = await watch.runWhileWanted(await test.startRun(), NEVER, async () => {
      done = true;
      return Promise.resolve();
    });
    expect([state, done]).toEqual(['wanted', true]);
  });

  it.each(['cancelled', 'removed'] as const)(
    'runWhileWanted does not start the work of a run that is %s',
    async (expected) => {
      const run = await test.startRun();
      await (expected === 'cancelled' ? test.endRun(run) : test.removeDatasource(run));
      let begun = false;
      const state = await watch.runWhileWanted(run, NEVER, async () => {
        begun = true;
        return Promise.resolve();
      });
      expect([state, begun]).toEqual([expected, false]);
    },
  );

  it('the run watch aborts the work of a cancelled run, but not the work of other runs', async () => {
    const [run, other] = [await test.startRun(), await test.startRun()];
    let otherSignal: AbortSignal | undefined;
    const ended = watch.runWhileWanted(run, NEVER, waitUntilAborted);
    const others = watch.runWhileWanted(other, NEVER, (signal) => waitUntilAborted((otherSignal = signal)));
    await vi.advanceTimersByTimeAsync(POLL_MS);
    await test.endRun(run);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(await ended).toBe('cancelled');
    expect(otherSignal?.aborted).toBe(false);
    await test.removeDatasource(other);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(await others).toBe('removed');
  });

  it('the run watch sends one request per interval for all runs, and no request when no work is in progress', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => test.startRun()));
    const followed = Promise.all(runs.map((run) => watch.runWhileWanted(run, NEVER, waitUntilAborted)));
    await vi.advanceTimersByTimeAsync(POLL_MS);
    requests = 0;
    await vi.advanceTimersByTimeAsync(10 * POLL_MS);
    expect(requests).toBe(10);
    for (const run of runs) await test.endRun(run);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    await followed;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    requests = 0;
    await vi.advanceTimersByTimeAsync(10 * POLL_MS);
    expect(requests).toBe(0);
  });

  it("runWhileWanted throws the error of the work, even if the abort of the job's signal caused the error", async () => {
    const run = await test.startRun();
    await expect(watch.runWhileWanted(run, NEVER, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const job = new AbortController();
    const ended = watch.runWhileWanted(run, job.signal, waitUntilAborted);
    await vi.advanceTimersByTimeAsync(1);
    job.abort();
    await expect(ended).rejects.toThrow('aborted');
  });

  it('runWhileWanted returns the state of the run if the work throws RunNotWanted', async () => {
    const run = await test.startRun();
    const state = await watch.runWhileWanted(run, NEVER, async () => {
      await test.endRun(run);
      await watch.requireWantedRun(run);
      throw new Error('expected the run not to be wanted');
    });
    expect(state).toBe('cancelled');
  });

  it('the run watch continues the work while the gateway is unavailable, and logs a warning', async () => {
    const run = await test.startRun();
    const ended = watch.runWhileWanted(run, NEVER, waitUntilAborted);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    test.isUnavailable = true;
    await vi.advanceTimersByTimeAsync(5 * POLL_MS);
    expect(warnings.length).toBeGreaterThan(0);
    await test.endRun(run);
    test.isUnavailable = false;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(await ended).toBe('cancelled');
  });

  it('if the gateway refuses a request, the run watch logs the error, and does not log that the gateway is unavailable', async () => {
    const logged: unknown[] = [];
    const refusal = new Error('the gateway responded with 401 to /internal/run-states: unauthorized');
    let isRefused = false;
    const refusing = openRunWatch(
      { readRunStates: (runs) => (isRefused ? Promise.reject(refusal) : test.gateway.readRunStates(runs)) },
      { warn: (fields, message) => logged.push({ ...fields, message }) },
      POLL_MS,
    );
    const job = new AbortController();
    const ended = refusing.runWhileWanted(await test.startRun(), job.signal, waitUntilAborted);
    await vi.advanceTimersByTimeAsync(1);
    isRefused = true;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(logged).toEqual([{ err: refusal, message: 'the states of runs could not be read; the work continues' }]);
    job.abort();
    await expect(ended).rejects.toThrow('aborted');
  });

  it('the run watch starts no work while the gateway is unavailable', async () => {
    test.isUnavailable = true;
    await expect(watch.runWhileWanted(await test.startRun(), NEVER, waitUntilAborted)).rejects.toThrow(TryLater);
  });
});
