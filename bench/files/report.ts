import type { FileResult, Outcome } from './evaluate-file.js';
import type { FileCase } from './file-cases.js';

type Row = FileCase & FileResult;

const COLUMNS = [
  ['file', 44],
  ['type', 5],
  ['expected', 19],
  ['result', 21],
  ['characters', 11],
  ['recall', 7],
  ['ms', 6],
  ['MB', 5],
] as const;
/** Below this share of the reference's words, a row is explained. */
const TARGET = 0.95;
const MISSING_SHOWN = 12;

export function titleLine(): string {
  return line(COLUMNS.map(([name]) => name));
}

export function rowLine(row: Row): string {
  return line([
    row.met ? row.file : `✗ ${row.file}`,
    row.type,
    row.expect,
    told(row.outcome),
    String(row.characters),
    row.recall?.toFixed(3) ?? '–',
    row.milliseconds.toFixed(0),
    row.peakMemoryMb?.toFixed(0) ?? 'killed',
  ]);
}

/** How many are as expected, and which words of the reference are not in what was read, where that are many. */
export function summary(rows: readonly Row[]): string {
  const met = rows.filter((row) => row.met).length;
  const low = rows.filter((row) => row.recall !== undefined && row.recall < TARGET);
  const compared = rows.flatMap((row) => row.recall ?? []);
  const mean = compared.reduce((sum, recall) => sum + recall, 0) / Math.max(1, compared.length);
  return [
    '',
    `${met} of ${rows.length} as expected; mean recall ${mean.toFixed(3)} over ${compared.length} references, ${low.length} below ${TARGET}`,
    ...low.map(
      ({ file, missing }) => `${file} has ${missing.length} words less: ${missing.slice(0, MISSING_SHOWN).join(' ')}`,
    ),
  ].join('\n');
}

/** A row without the texts that it was made from. */
export function asJson(row: Row): object {
  return { ...row, reference: undefined, missing: undefined };
}

function told(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome;
  return 'refused' in outcome ? outcome.refused : `CRASHED: ${outcome.crashed}`;
}

/** Numbers are flushed right, words left. */
function line(cells: readonly string[]): string {
  const padded = COLUMNS.map(([, width], index) => {
    const cell = cells[index] ?? '';
    return index < 4 ? cell.padEnd(width) : cell.padStart(width);
  });
  return padded.join(' ').trimEnd();
}
