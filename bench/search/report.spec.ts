import { describe, expect, it } from 'vitest';
import { createReport, formatReportTable } from './report.js';

const createLoad = (perSecond: number, ms: number) => ({ perSecond, times: [ms, ms, ms] });
const createRow = (concurrency: number, apiPerSecond: number, apiMs: number) => ({
  concurrency,
  store: [createLoad(100, 4), createLoad(200, 4)],
  api: [createLoad(apiPerSecond, apiMs), createLoad(2 * apiPerSecond, apiMs)],
  cpuSeconds: { store: 0.012, api: 0.06 },
});

describe('the report on searches', () => {
  it('the report contains the API’s throughput as a share of the store’s throughput, and the latency that the API adds', () => {
    const { loads, missed } = createReport(10, [createRow(1, 90, 5)]);
    expect(loads[0]).toMatchObject({ share: 0.9, addedP50Ms: 1, addedP99Ms: 1, storeCpuMs: 2, apiCpuMs: 10 });
    expect(missed).toEqual([]);
  });

  it('the report lists the missed targets for each number of parallel requests', () => {
    const report = createReport(10, [createRow(1, 40, 13), createRow(8, 40, 90)]);
    expect(report.missed).toEqual([
      '1 parallel: expected at least 0.8 of the store’s throughput, found 0.40',
      'expected at most 1.5 ms added to a search, found 9.0',
      'expected at most 8 ms added to the 99th percentile, found 9.0',
      '8 parallel: expected at least 0.8 of the store’s throughput, found 0.40',
    ]);
    expect(formatReportTable(report)).toContain('MISSED: 8 parallel');
  });
});
