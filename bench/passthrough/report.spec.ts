import { describe, expect, it } from 'vitest';
import { createReport, formatReportTable, type Measurements } from './report.js';

const createMeasurements = (perSecond: number, ms: number): Measurements => ({
  rounds: [{ perSecond, times: Array.from({ length: 100 }, () => ms) }],
  ...{ cpuSeconds: 0.2, peakMb: 80, startMs: 300 },
});

describe('the report on chat completions that pass through', () => {
  it('the report contains Quarry’s throughput and 99th percentile of response times relative to those of the proxy', () => {
    const row = { proxy: createMeasurements(1_000, 9), quarry: createMeasurements(750, 12) };
    const report = createReport([{ form: 'streamed', ...row }]);
    expect(report.forms[0]).toMatchObject({ share: 0.75, quarry: { p99Ms: 12, perSecond: 750, cpuMs: 2 } });
    expect(report.forms[0]?.p99Ratio).toBeCloseTo(1.33);
    expect(report.missed).toEqual([]);
    expect(formatReportTable(report)).toMatch(/p99 ratio of at most 3: met$/);
  });

  it('the report lists each missed target with the form of the answers, such as `whole`', () => {
    const row = { proxy: createMeasurements(1_000, 9), quarry: createMeasurements(690, 28) };
    const report = createReport([{ form: 'whole', ...row }]);
    expect(report.missed).toEqual([
      'whole: expected at least 0.7 of the proxy’s throughput, found 0.69',
      'whole: expected a p99 of at most 3 × the proxy’s, found 3.1',
    ]);
    expect(formatReportTable(report)).toContain('MISSED: whole: expected at least 0.7');
  });
});
