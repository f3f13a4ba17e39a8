import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_MAINTENANCE, Maintenance } from './maintenance.js';

const POLICY = { ...DEFAULT_MAINTENANCE, commits: 10, rows: 100, idleMs: 50, pauseFactor: 2, retentionMs: 5_000 };

describe('Maintenance', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function startMaintenance(optimizeTable: () => Promise<boolean> = () => Promise.resolve(false)) {
    const runs = { count: 0, errors: [] as unknown[] };
    const maintenance = new Maintenance(
      () => {
        runs.count += 1;
        return optimizeTable();
      },
      POLICY,
      (error) => runs.errors.push(error),
    );
    return { maintenance, runs };
  }

  it('maintenance runs as soon as `idleMs` milliseconds have passed without a write', async () => {
    const { maintenance, runs } = startMaintenance();
    for (let at = 0; at < 5; at += 1) {
      maintenance.recordCommit(1);
      await vi.advanceTimersByTimeAsync(40);
    }
    expect(runs.count).toBe(0);
    await vi.advanceTimersByTimeAsync(10);
    expect(runs.count).toBe(1);
  });

  it.each([
    ['commits', 10, 1],
    ['rows', 2, 50],
  ])(
    'after the configured number of %s, maintenance runs without waiting for a pause in the writes',
    async (_, commits, rows) => {
      const { maintenance, runs } = startMaintenance();
      for (let at = 0; at < commits; at += 1) maintenance.recordCommit(rows);
      await vi.advanceTimersByTimeAsync(1);
      expect(runs.count).toBe(1);
    },
  );

  it('two runs of maintenance never overlap, and the pause after a run is proportional to the duration of the run', async () => {
    let running = 0;
    const { maintenance, runs } = startMaintenance(async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running -= 1;
      return true;
    });
    const begun: number[] = [];
    for (let at = 0; at < 70; at += 1) {
      maintenance.recordCommit(100);
      await vi.advanceTimersByTimeAsync(10);
      begun[runs.count] ??= at;
    }
    expect(runs.count).toBe(3);
    expect((begun[2] ?? 0) - (begun[1] ?? 0)).toBeGreaterThanOrEqual(29);
  });

  it('after the last write, maintenance runs again after each retention time until the table has no old versions', async () => {
    const leavesOldVersions = [true, true, true, false];
    const { maintenance, runs } = startMaintenance(() => Promise.resolve(leavesOldVersions.shift() ?? false));
    maintenance.recordCommit(1);
    await vi.advanceTimersByTimeAsync(4_000);
    maintenance.recordCommit(1);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(runs.count).toBe(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(runs.count).toBe(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs.count).toBe(4);
  });

  it('if a run of maintenance fails, maintenance reports the error, and runs again after the next write', async () => {
    const { maintenance, runs } = startMaintenance(() => Promise.reject(new Error('conflict')));
    for (let at = 1; at <= 2; at += 1) {
      maintenance.recordCommit(1);
      await vi.advanceTimersByTimeAsync(50);
      expect(runs.errors).toHaveLength(at);
    }
  });

  it('maintenance does not run if there were no writes, or after stopRuns() was called', async () => {
    const { maintenance, runs } = startMaintenance();
    await vi.advanceTimersByTimeAsync(1_000);
    maintenance.recordCommit(1);
    await maintenance.stopRuns();
    maintenance.recordCommit(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs.count).toBe(0);
  });

  it('stopRuns() waits until the active run of maintenance has ended', async () => {
    const end = Promise.withResolvers<undefined>();
    const { maintenance, runs } = startMaintenance(() => end.promise.then(() => false));
    maintenance.recordCommit(100);
    await vi.advanceTimersByTimeAsync(1);
    let stopped = false;
    const stopping = maintenance.stopRuns().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(10);
    expect([runs.count, stopped]).toEqual([1, false]);
    end.resolve(undefined);
    await stopping;
  });

  it('finishRuns() runs maintenance immediately if there was a commit, and returns whether the table still has old versions', async () => {
    const { maintenance, runs } = startMaintenance();
    expect(await maintenance.finishRuns()).toBe(false);
    const written = startMaintenance(() => Promise.resolve(true));
    written.maintenance.recordCommit(1);
    expect(await written.maintenance.finishRuns()).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([runs.count, written.runs.count]).toEqual([0, 1]);
  });

  it('runNow() runs maintenance after the active run, even if there was no commit since that run started', async () => {
    let running = 0;
    const { maintenance, runs } = startMaintenance(async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running -= 1;
      return false;
    });
    maintenance.recordCommit(100);
    await vi.advanceTimersByTimeAsync(1);
    const requested = maintenance.runNow();
    await vi.advanceTimersByTimeAsync(300);
    await requested;
    expect(runs.count).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs.count).toBe(2);
  });
});
