import { describe, expect, it } from 'vitest';
import { createJobMeasures } from './job-metrics.js';
import { createMetrics } from './metrics.js';
import { registerQueueMetrics } from './queue-metrics.js';

describe('the metrics of queues', () => {
  it('the metrics of queues show the number of jobs per state, and the age of the next job', async () => {
    const metrics = createMetrics('test', { process: false });
    const depth = { waiting: 3, active: 1 };
    registerQueueMetrics(metrics, [
      { name: 'a', countJobs: async () => depth, findNextJobTime: async () => new Date(Date.now() - 5_000) },
      { name: 'b', countJobs: async () => ({ waiting: 0 }), findNextJobTime: async () => undefined },
    ]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('quarry_queue_jobs{queue="a",state="waiting",service="test"} 3');
    expect(text).toMatch(/quarry_queue_oldest_job_seconds\{queue="a",service="test"\} 5/);
    expect(text).toContain('quarry_queue_oldest_job_seconds{queue="b",service="test"} 0');
  });

  it('the metrics of queues omit a queue that fails or does not respond, and include the other queues', async () => {
    const metrics = createMetrics('test', { process: false });
    const never = new Promise<never>(() => undefined);
    let reads = 0;
    const countNever = (): Promise<never> => {
      reads += 1;
      return never;
    };
    registerQueueMetrics(metrics, [
      { name: 'a', countJobs: async () => ({ waiting: 1 }), findNextJobTime: async () => undefined },
      { name: 'b', countJobs: countNever, findNextJobTime: () => never },
      { name: 'c', countJobs: async () => ({}), findNextJobTime: () => Promise.reject(new Error('away')) },
    ]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('quarry_queue_jobs{queue="a",state="waiting",service="test"} 1');
    expect(text).not.toContain('queue="b"');
    expect(text).not.toContain('queue="c"');
    await metrics.registry.metrics();
    expect(reads).toBe(1);
  });
});

describe('the metrics of jobs', () => {
  it('the metrics of jobs count the running jobs, and measure the duration of ended jobs by outcome', async () => {
    const metrics = createMetrics('test', { process: false });
    const watch = createJobMeasures(metrics);
    const start = { queue: 'ingestion', job: 'index-document' };
    watch.recordStart(start);
    watch.recordStart(start);
    watch.recordEnd({ ...start, outcome: 'done', seconds: 2 });
    const text = await metrics.registry.metrics();
    expect(text).toContain('quarry_jobs_running{queue="ingestion",job="index-document",service="test"} 1');
    expect(text).toMatch(
      /quarry_job_duration_seconds_sum\{.*queue="ingestion",job="index-document",outcome="done".*\} 2/,
    );
  });
});
