import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CleanupSchedule } from './cleanup-schedule.js';

describe('CleanupSchedule', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function startSchedule() {
    const runs: string[] = [];
    const schedule = new CleanupSchedule<string>(1_000, (item) => {
      runs.push(item);
      return Promise.resolve();
    });
    return { schedule, runs };
  }

  it('a cleanup schedule runs the task of each item once, after the delay', async () => {
    const { schedule, runs } = startSchedule();
    schedule.scheduleItem('a', 'a');
    await vi.advanceTimersByTimeAsync(500);
    schedule.scheduleItem('b', 'b');
    await vi.advanceTimersByTimeAsync(499);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(runs).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toEqual(['a', 'b']);
  });

  it('if the timer of a cleanup schedule fires before the task of an item is due, and another item is added at that moment, the tasks of both items run', async () => {
    vi.useRealTimers();
    const { schedule, runs } = startSchedule();
    // Node truncates the delay to 10 ms, so the timer fires before the task of `a` is due. Timers with equal delays
    // fire one after the other, so `b` is added right after the timer has fired.
    schedule.scheduleItem('a', 'a', 10.9);
    setTimeout(() => {
      schedule.scheduleItem('b', 'b', 1);
    }, 10);
    await expect.poll(() => runs.toSorted()).toEqual(['a', 'b']);
    await schedule.stop();
  });

  it('if a key is scheduled again, a cleanup schedule restarts the delay, and runs the task only for the later item of the key', async () => {
    const { schedule, runs } = startSchedule();
    schedule.scheduleItem('a', 'first');
    await vi.advanceTimersByTimeAsync(600);
    schedule.scheduleItem('a', 'second');
    await vi.advanceTimersByTimeAsync(600);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(600);
    expect(runs).toEqual(['second']);
  });

  it('a cleanup schedule runs a task with a shorter delay before the tasks that wait longer', async () => {
    const { schedule, runs } = startSchedule();
    schedule.scheduleItem('a', 'a');
    schedule.scheduleItem('b', 'b', 100);
    await vi.advanceTimersByTimeAsync(200);
    expect(runs).toEqual(['b']);
    await vi.advanceTimersByTimeAsync(900);
    expect(runs).toEqual(['b', 'a']);
  });

  it('stop() of a cleanup schedule waits for the active task, and no further task starts', async () => {
    const end = Promise.withResolvers<undefined>();
    const runs: string[] = [];
    const schedule = new CleanupSchedule<string>(1_000, async (item) => {
      runs.push(item);
      await end.promise;
    });
    for (const item of ['a', 'b']) schedule.scheduleItem(item, item);
    await vi.advanceTimersByTimeAsync(1_001);
    let stopped = false;
    const stopping = schedule.stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([runs, stopped]).toEqual([['a'], false]);
    end.resolve(undefined);
    await stopping;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toEqual(['a']);
  });
});
