import { describe, expect, it } from 'vitest';

const { formatSummary } = (await import(new URL('../../../scripts/test-summary.mjs', import.meta.url).href)) as {
  readonly formatSummary: (reports: readonly object[]) => readonly string[];
}; // the exports of the script

const buildTest = (fullName: string, status: string): object => ({ fullName, status, failureMessages: ['expected 1'] });
const buildFile = (name: string, endTime: number, assertionResults: readonly object[] = []): object => ({
  ...{ name, status: 'passed', message: '', startTime: 1_000, endTime, assertionResults },
});
const buildReport = (...assertionResults: readonly object[]): object => ({
  numPassedTests: 1,
  numPendingTests: assertionResults.length - 1,
  numTodoTests: 0,
  testResults: [buildFile('a.spec.ts', 13_400, assertionResults)],
});

describe('the summary of npm test', () => {
  it('the summary of npm test lists the reasons for which tests are skipped, the most frequent reason first', () => {
    const report = buildReport(
      buildTest('adds', 'passed'),
      buildTest('queues (skipped: no redis-server on PATH) adds', 'skipped'),
      buildTest('pages that are built by scripts, skipped: there is no Chromium here (QUARRY_CHROMIUM)', 'skipped'),
      buildTest('as root (skipped for others) copies', 'pending'),
      buildTest('Qdrant (skipped: there is no qdrant on PATH) one', 'skipped'),
      buildTest('Qdrant (skipped: there is no qdrant on PATH) two', 'skipped'),
      buildTest('a test without a reason', 'skipped'),
    );
    expect(formatSummary([report])).toEqual([
      '   12 s in a.spec.ts',
      '    2 skipped: there is no qdrant on PATH',
      '    1 skipped: no redis-server on PATH',
      '    1 skipped: there is no Chromium here (QUARRY_CHROMIUM)',
      '    1 skipped: for others',
      '    1 skipped: without a reason in the title “a test without a reason”',
      '1 passed, 0 failed, 6 skipped',
    ]);
  });

  it('the summary of npm test lists the ten slowest test files, the slowest first', () => {
    const testResults = Array.from({ length: 12 }, (_file, index) =>
      buildFile(`${index}.spec.ts`, 1_000 * (index + 1)),
    );
    const lines = formatSummary([{ ...buildReport(), testResults }]);
    expect(lines).toHaveLength(11);
    expect(lines.slice(0, 2)).toEqual(['   11 s in 11.spec.ts', '   10 s in 10.spec.ts']);
  });

  it('the summary of npm test repeats each failure before the last line, which contains the totals', () => {
    const failed = { ...buildReport(buildTest('adds', 'failed')), numPassedTests: 0 };
    expect(formatSummary([failed])).toEqual([
      '   12 s in a.spec.ts',
      'FAILED a.spec.ts > adds\nexpected 1',
      '0 passed, 1 failed, 0 skipped',
    ]);
  });
});
