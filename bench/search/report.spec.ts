import { describe, expect, it } from 'vitest';
import { reportOf, tableOf } from './report.js';

const load = (perSecond: number, ms: number) => ({ perSecond, times: [ms, ms, ms] });
const row = (concurrency: number, apiPerSecond: number, apiMs: number) => ({
  concurrency,
  store: [load(100, 4), load(200, 4)],
  api: [load(apiPerSecond, apiMs), load(2 * apiPerSecond, apiMs)],
  cpuSeconds: { store: 0.012, api: 0.06 },
});

describe('the report on searches', () => {
  it('contains the cost of the API, round by round', () => {
    const { loads, missed } = reportOf(10, [row(1, 60, 8)]);
    expect(loads[0]).toMatchObject({ share: 0.6, addedP50Ms: 4, storeCpuMs: 2, apiCpuMs: 10 });
    expect(missed).toEqual([]);
  });

  it('lists the missed targets', () => {
    const report = reportOf(10, [row(1, 40, 12), row(8, 40, 90)]);
    expect(report.missed).toEqual([
      '1 parallel: 0.5 of the store’s throughput, found 0.40',
      'at most 5 ms added to a search, found 8.0',
      '8 parallel: 0.5 of the store’s throughput, found 0.40',
    ]);
    expect(tableOf(report)).toContain('MISSED: 8 parallel');
  });
});
