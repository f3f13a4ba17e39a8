import { describe, expect, it } from 'vitest';
import { createReport } from './report.js';

const PACE = { firstMs: 200, everyMs: 20, tokens: 101 };
const createTimes = (firstMs: number, restMs: number) => Array.from({ length: 20 }, () => ({ firstMs, restMs }));

describe('the report on answers', () => {
  it('the report contains the time that Quarry adds to the response times of the model', () => {
    const row = { concurrency: 10, model: createTimes(200, 2_000), answer: createTimes(204, 2_010), cpuSeconds: 0.4 };
    const { loads, missed } = createReport(PACE, [row]);
    expect(loads[0]).toMatchObject({ addedFirstP50Ms: 4, addedFirstP99Ms: 4, addedPerTokenP50Ms: 0.1 });
    expect(loads[0]?.cpuMsPerStream).toBeCloseTo(20);
    expect(missed).toEqual([]);
  });

  it('the report lists the missed targets of each number of parallel streams, and that of the processor time only for 100 streams', () => {
    const createRow = (concurrency: number, firstMs: number) => ({
      concurrency,
      model: createTimes(200, 1),
      answer: createTimes(firstMs, 1),
      cpuSeconds: 0.4,
    });
    expect(createReport(PACE, [createRow(1, 205), createRow(10, 206), createRow(100, 230)]).missed).toEqual([
      '10 streams: expected at most 5 ms to the first text, found 6.0',
      '100 streams: expected at most 5 ms to the first text, found 30.0',
      '100 streams: expected at most 20 ms to the first text in the 99th percentile, found 30.0',
      '100 streams: expected at most 10 ms of processor time per stream, found 20.0',
    ]);
  });
});
