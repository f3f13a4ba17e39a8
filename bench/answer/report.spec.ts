import { describe, expect, it } from 'vitest';
import { createReport } from './report.js';

const PACE = { firstMs: 200, everyMs: 20, tokens: 101 };
const createTimes = (firstMs: number, restMs: number) => Array.from({ length: 20 }, () => ({ firstMs, restMs }));

describe('the report on answers', () => {
  it('the report contains the time that Quarry adds to the model', () => {
    const row = { concurrency: 10, model: createTimes(200, 2_000), answer: createTimes(212, 2_010), cpuSeconds: 0.4 };
    const { loads, missed } = createReport(PACE, [row]);
    expect(loads[0]).toMatchObject({ addedFirstP50Ms: 12, addedFirstP99Ms: 12, addedPerTokenP50Ms: 0.1 });
    expect(loads[0]?.cpuMsPerStream).toBeCloseTo(20);
    expect(missed).toEqual([]);
  });

  it('the report lists a missed target of ten streams', () => {
    const createRow = (concurrency: number) => ({
      concurrency,
      model: createTimes(200, 1),
      answer: createTimes(230, 1),
      cpuSeconds: 0,
    });
    expect(createReport(PACE, [createRow(1), createRow(10), createRow(100)]).missed).toEqual([
      '10 streams: at most 20 ms to the first text, found 30.0',
    ]);
  });
});
