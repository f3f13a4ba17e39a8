import { describe, expect, it } from 'vitest';
import { getJobsPerSecond, QueueWindow, type Throughput } from './queue-window.js';

const EMPTY = { waiting: 0, active: 0, delayed: 0 };

describe('the window of a queue', () => {
  it('the window of a queue has room for eight jobs while no consumer is connected', () => {
    expect(new QueueWindow().getFreePlaces(EMPTY, 0, 0)).toBe(8);
    expect(new QueueWindow().getFreePlaces({ ...EMPTY, waiting: 3 }, 0, 0)).toBe(5);
    expect(new QueueWindow().getFreePlaces({ ...EMPTY, waiting: 30 }, 0, 0)).toBe(0);
  });

  it('the window of a queue has room for as many waiting jobs as the consumers can run at the same time', () => {
    expect(new QueueWindow().getFreePlaces({ waiting: 5, active: 20, delayed: 9 }, 20, 0)).toBe(15);
  });

  it('the window of a queue has no room while 2,000 jobs are delayed, as during an outage', () => {
    expect(new QueueWindow().getFreePlaces({ waiting: 0, active: 0, delayed: 1_999 }, 20, 0)).toBe(20);
    expect(new QueueWindow().getFreePlaces({ waiting: 0, active: 0, delayed: 2_000 }, 20, 0)).toBe(0);
  });

  it('the window of a queue grows with the rate at which jobs end, and shrinks when no job ends', () => {
    const window = new QueueWindow();
    let free = 0;
    for (let second = 0; second < 20; second += 1) {
      free = window.getFreePlaces({ waiting: 0, active: 10, delayed: 0 }, 10, second * 1000);
      window.recordPublishedJobs(100);
    }
    expect(free).toBeGreaterThan(10 + 30);
    expect(free).toBeLessThanOrEqual(10 + 40);
    for (let second = 20; second < 60; second += 1) {
      free = window.getFreePlaces({ waiting: 0, active: 110, delayed: 0 }, 10, second * 1000);
    }
    expect(free).toBe(11);
  });

  it.each([
    [300, 40],
    [450, 60],
    [5_000, 80],
  ])(
    'the window of a queue has additional room for the jobs that will end before the next round of the dispatcher, with rounds of %i ms',
    (roundMs, buffered) => {
      const window = new QueueWindow();
      let free = 0;
      for (let round = 0; round < 40; round += 1) {
        free = window.getFreePlaces({ waiting: 0, active: 10, delayed: 0 }, 10, round * roundMs);
        window.recordPublishedJobs(roundMs / 10, true);
      }
      expect(free - 10).toBeCloseTo(buffered, -1);
    },
  );
});

/**
 * Measures a queue once per second, each time with a new window, as alternating gateways do.
 *
 * @returns the last measurement
 */
function measureThroughput(endedPerSecond: readonly number[], isFull: boolean, start?: Throughput): Throughput {
  let throughput = start ?? new QueueWindow().recordPublishedJobs(0, isFull);
  for (const ended of endedPerSecond) {
    const window = new QueueWindow(8, throughput);
    const jobs = Math.max(0, throughput.jobs - ended);
    window.getFreePlaces({ waiting: 0, active: jobs, delayed: 0 }, 10, throughput.atMs + 1000);
    throughput = window.recordPublishedJobs(100 - jobs, isFull);
  }
  return throughput;
}

describe('the throughput of a queue', () => {
  it('the throughput of a queue is the number of jobs per second that end while the queue is full', () => {
    expect(
      getJobsPerSecond(
        measureThroughput(
          Array.from({ length: 20 }, () => 5),
          true,
        ),
      ),
    ).toBeCloseTo(5, 0);
  });

  it('the throughput of a queue is unknown while the workers process jobs as fast as they arrive', () => {
    expect(
      getJobsPerSecond(
        measureThroughput(
          Array.from({ length: 20 }, () => 5),
          false,
        ),
      ),
    ).toBeUndefined();
  });

  it('the throughput of a queue is unknown until several jobs have ended, and becomes unknown when no job has ended for five minutes', () => {
    expect(getJobsPerSecond(measureThroughput([0, 0, 1], true))).toBeUndefined();
    const measured = measureThroughput([4, 4, 4], true);
    expect(getJobsPerSecond(measured)).toBeGreaterThan(1);
    expect(
      getJobsPerSecond(
        measureThroughput(
          Array.from({ length: 300 }, () => 0),
          true,
          measured,
        ),
      ),
    ).toBeUndefined();
  });

  it('the measured throughput of a queue adapts to a higher rate within five minutes', () => {
    const slow = measureThroughput(
      Array.from({ length: 120 }, () => 1),
      true,
    );
    const rate = getJobsPerSecond(
      measureThroughput(
        Array.from({ length: 300 }, () => 10),
        true,
        slow,
      ),
    );
    expect(rate).toBeGreaterThan(8);
    expect(rate).toBeLessThanOrEqual(10);
  });

  it('the measurement of the throughput of a queue starts again after a failover to a database server whose clock is behind', () => {
    const measured = measureThroughput([5, 5, 5], true);
    const window = new QueueWindow(8, { ...measured, atMs: measured.atMs + 3_600_000 });
    window.getFreePlaces({ waiting: 0, active: 100, delayed: 0 }, 10, measured.atMs + 1000);
    expect(measureThroughput([5, 5, 5], true, window.recordPublishedJobs(0, true)).ended).toBeGreaterThan(10);
  });
});
