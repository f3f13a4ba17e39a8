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
/** Minimum recall of a reference's words. If the recall of a file is lower, the report lists its missing words. */
const TARGET = 0.95;
const MISSING_SHOWN = 12;

export function formatColumnTitles(): string {
  return formatAlignedCells(COLUMNS.map(([name]) => name));
}

export function formatFileRow(row: Row): string {
  return formatAlignedCells([
    row.met ? row.file : `✗ ${row.file}`,
    row.type,
    row.expect,
    formatReadingOutcome(row.outcome),
    String(row.characters),
    row.recall?.toFixed(3) ?? '–',
    row.milliseconds.toFixed(0),
    row.peakMemoryMb?.toFixed(0) ?? 'killed',
  ]);
}

/**
 * Formats the number of files with the expected outcome, the mean recall, and the missing words of files with a low
 * recall.
 */
export function formatSummaryOfRows(rows: readonly Row[]): string {
  const met = rows.filter((row) => row.met).length;
  const low = rows.filter((row) => row.recall !== undefined && row.recall < TARGET);
  const recalls = rows.flatMap((row) => row.recall ?? []);
  const mean = recalls.reduce((sum, recall) => sum + recall, 0) / Math.max(1, recalls.length);
  return [
    '',
    `${met} of ${rows.length} as expected; mean recall ${mean.toFixed(3)} over ${recalls.length} references, ${low.length} below ${TARGET}`,
    ...low.map(
      ({ file, missing }) => `${file} lacks ${missing.length} words: ${missing.slice(0, MISSING_SHOWN).join(' ')}`,
    ),
  ].join('\n');
}

/** Returns the fields of a row for the JSON report: all but the reference text and the missing words. */
export function toJsonRow(row: Row): object {
  return { ...row, reference: undefined, missing: undefined };
}

function formatReadingOutcome(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome;
  return 'refused' in outcome ? outcome.refused : `CRASHED: ${outcome.crashed}`;
}

/** Formats a line of the table, with numbers aligned to the right and words to the left. */
function formatAlignedCells(cells: readonly string[]): string {
  const padded = COLUMNS.map(([, width], index) => {
    const cell = cells[index] ?? '';
    return index < 4 ? cell.padEnd(width) : cell.padStart(width);
  });
  return padded.join(' ').trimEnd();
}
