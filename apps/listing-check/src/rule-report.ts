import type { Line } from './check-listing.js';

/** One rule's result for people: a line, and for a broken rule what was found and the request that shows it. */
export function inWords({ sentence, verdict }: Line): string {
  if (verdict.outcome === 'kept') return `kept    ${sentence}`;
  if (verdict.outcome === 'untold') return `untold  ${sentence} (${verdict.because})`;
  const found = verdict.found.split('\n');
  return [`BROKEN  ${sentence}`, ...found.map((line) => `          ${line}`), `          ${verdict.request}`].join(
    '\n',
  );
}

/** The last line. */
export function summary(lines: readonly Line[]): string {
  const count = (outcome: string): number => lines.filter(({ verdict }) => verdict.outcome === outcome).length;
  return `${count('kept')} rules kept, ${count('broken')} broken, ${count('untold')} untold`;
}

/** 0: no rule is broken. 1: at least one is. */
export function exitCodeOf(lines: readonly Line[]): number {
  return lines.some(({ verdict }) => verdict.outcome === 'broken') ? 1 : 0;
}
