import type { RuleResult } from './check-listing.js';

/**
 * Formats the result of a rule for the terminal. For a failed rule, includes what was found and the request that shows
 * it.
 */
export function formatResult({ rule, verdict }: RuleResult): string {
  if (verdict.outcome === 'passed') return `passed   ${rule}`;
  if (verdict.outcome === 'skipped') return `skipped  ${rule} (${verdict.reason})`;
  const found = verdict.found.split('\n');
  return [`FAILED   ${rule}`, ...found.map((line) => `         ${line}`), `         ${verdict.request}`].join('\n');
}

/** Formats the numbers of passed, failed and skipped rules. */
export function formatSummary(results: readonly RuleResult[]): string {
  const countOutcome = (outcome: string): number => results.filter(({ verdict }) => verdict.outcome === outcome).length;
  return `${countOutcome('passed')} rules passed, ${countOutcome('failed')} failed, ${countOutcome('skipped')} skipped`;
}

/** Returns the exit code of the process: 1 if a rule failed, otherwise 0. */
export function getExitCode(results: readonly RuleResult[]): number {
  return results.some(({ verdict }) => verdict.outcome === 'failed') ? 1 : 0;
}
