import { describe, expect, it } from 'vitest';
import { reportOf } from './report.js';

const PACE = { firstMs: 200, everyMs: 20, tokens: 101 };
const times = (firstMs: number, restMs: number) => Array.from({ length: 20 }, () => ({ firstMs, restMs }));

describe('the report on answers', () => {
  it('contains the time that Quarry adds to the model', () => {
    const row = { concurrency: 10, model: times(200, 2_000), answer: times(212, 2_010), cpuSeconds: 0.4 };
    const { loads, missed } = reportOf(PACE, [row]);
    expect(loads[0]).toMatchObject({ addedFirstP50Ms: 12, addedFirstP99Ms: 12, addedPerTokenP50Ms: 0.1 });
    expect(loads[0]?.cpuMsPerStream).toBeCloseTo(20);
    expect(missed).toEqual([]);
  });

  it('lists the missed target of ten streams', () => {
    const row = (concurrency: number) => ({ concurrency, model: times(200, 1), answer: times(230, 1), cpuSeconds: 0 });
    expect(reportOf(PACE, [row(1), row(10), row(100)]).missed).toEqual([
      '10 streams: at most 20 ms to the first text, found 30.0',
    ]);
  });
});
