// Builds the summary of npm test from the JSON reports of Vitest.

/**
 * Matches the reason in the title of a skipped test, such as `… (skipped: there is no redis-server on PATH)`, `…,
 * skipped: …` or `… (skipped as root)`.
 */
const REASON = /[(,] ?skipped:? ((?:[^()]|\([^()]*\))*)/;
const SLOWEST_FILES = 10;
const SKIPPED = ['skipped', 'pending', 'todo', 'disabled'];

/**
 * Counts skipped tests by the reason in their title. A test without a reason is counted under its title.
 *
 * @returns pairs of reason and number, the most frequent first
 */
export function countSkipReasons(testResults) {
  const counts = new Map();
  for (const { fullName } of testResults.flatMap(({ assertionResults }) => assertionResults.filter(isSkipped))) {
    const reason = REASON.exec(fullName)?.[1]?.trim() ?? `without a reason in the title “${fullName}”`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}

function isSkipped({ status }) {
  return SKIPPED.includes(status);
}

/** Formats the failures of a test file: the name and messages of each failed test, or the error of the whole file. */
export function listFailedTests({ name: file, status, message, assertionResults }) {
  const tests = assertionResults.filter((result) => result.status === 'failed');
  if (tests.length === 0) return status === 'failed' ? [`FAILED ${file}\n${message}`] : [];
  return tests.map((result) => `FAILED ${file} > ${result.fullName}\n${result.failureMessages.join('\n')}`);
}

/** Formats the durations of the slowest test files, the slowest first. */
export function listSlowestFiles(testResults) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
    .toSorted((left, right) => right.seconds - left.seconds)
    .slice(0, SLOWEST_FILES)
    .map(({ name, seconds }) => `${String(seconds).padStart(5)} s in ${name}`);
}

/** Formats the summary of a test run as lines. The last line contains the totals. */
export function formatSummary(reports) {
  const results = reports.flatMap(({ testResults }) => testResults);
  const failures = results.flatMap(listFailedTests);
  const passed = reports.reduce((total, { numPassedTests }) => total + numPassedTests, 0);
  const skipped = reports.reduce((total, report) => total + report.numPendingTests + report.numTodoTests, 0);
  const reasons = countSkipReasons(results).map(([reason, count]) => `${String(count).padStart(5)} skipped: ${reason}`);
  const totals = `${passed} passed, ${failures.length} failed, ${skipped} skipped`;
  return [...listSlowestFiles(results), ...failures, ...reasons, totals];
}
