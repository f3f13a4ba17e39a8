import type { DatabaseFigures } from './fill-and-measure-database.js';
import type { IngestionFigures } from './measure-ingestion.js';
import type { RunEndFigures, TotalsCost } from './measure-run-end.js';
import type { StoreFigures } from './measure-store.js';
import type { Work } from './measure-postgres-work.js';

/** Formats the measurements of the stores as a Markdown table, with one row per store and size. */
export function formatStoreTable(figures: readonly StoreFigures[]): string {
  const rows = figures.map((row) => [
    row.store,
    row.fragments.toLocaleString('en'),
    `${row.denseP50.toFixed(1)} / ${row.denseP95.toFixed(1)}`,
    row.denseRecall.toFixed(3),
    `${row.lexicalP50.toFixed(1)} / ${row.lexicalP95.toFixed(1)}`,
    `${row.residentMib.toFixed(0)} (${row.anonymousMib.toFixed(0)})`,
    row.writtenPerSecond.toFixed(0),
  ]);
  const head = [
    'store',
    'fragments',
    'dense ms, p50 / p95',
    'recall of 50',
    'lexical ms, p50 / p95',
    'memory MiB (anonymous)',
    'writes per second',
  ];
  return formatMarkdownTable(head, rows);
}

/** Formats the measurements of ingestion as a Markdown table, with the speed relative to one worker. */
export function formatIngestionTable(figures: readonly IngestionFigures[]): string {
  const one = figures[0]?.documentsPerSecond ?? NaN;
  const rows = figures.map(({ workers, documentsPerSecond }) => [
    String(workers),
    documentsPerSecond.toFixed(1),
    `${(documentsPerSecond / one).toFixed(2)} ×`,
  ]);
  return formatMarkdownTable(['workers', 'documents per second', 'relative'], rows);
}

/**
 * Formats the measurements of a filled database as Markdown: full scans, slowest statements, counting of queries, and
 * deletion of a datastore.
 */
export function formatDatabaseTable(figures: DatabaseFigures): string {
  const { datasources, fillSeconds, statements, slowest, fullScans, counting, removal } = figures;
  const title = `${datasources.toLocaleString('en')} datasources, filled in ${fillSeconds.toFixed(0)} s: ${statements} statements, ${fullScans.length} full scans`;
  const scans = fullScans.map(({ statement, table: name, method, rows, milliseconds }) => [
    statement.replaceAll(/\s+/g, ' '),
    `${method} on ${name}, ${rows.toLocaleString('en')} rows`,
    milliseconds.toFixed(1),
  ]);
  const times = slowest.map(({ text, milliseconds }) => [
    text.replaceAll(/\s+/g, ' ').slice(0, MAX_STATEMENT),
    milliseconds.toFixed(1),
  ]);
  const counted = `Counting queries of one organization: ${counting.oneRowPerSecond.toFixed(0)} per second in one row, ${counting.stripesPerSecond.toFixed(0)} over 16 rows (${(counting.stripesPerSecond / counting.oneRowPerSecond).toFixed(1)} ×).`;
  const removed = `Deleting ${removal.datasources.toLocaleString('en')} datasources: ${removal.oneTransactionMs.toFixed(0)} ms in one transaction; ${removal.hideMs.toFixed(0)} ms until they are invisible, ${removal.longestStepMs.toFixed(0)} ms for the longest step, ${removal.totalMs.toFixed(0)} ms for all steps.`;
  return [
    title,
    formatMarkdownTable(['statement', 'plan', 'ms'], scans),
    formatMarkdownTable(['slowest statements', 'ms'], times),
    counted,
    removed,
  ].join('\n\n');
}

/** Formats, as a Markdown table, the work of PostgreSQL at the start and at the end of a sync that finds no changes. */
export function formatRunEndTable(figures: readonly RunEndFigures[], cost: TotalsCost): string {
  const [first] = figures;
  const rows = figures.map(({ documents, start, end, scans }) => [
    documents.toLocaleString('en'),
    ...formatWorkCells(start, first?.start),
    ...formatWorkCells(end, first?.end),
    scans.map(({ table, method, rows: read }) => `${method} on ${table}: ${read.toLocaleString('en')}`).join('; '),
  ]);
  const kinds = ['blocks', 'rows', 'CPU ms (relative)'];
  const head = [
    'documents',
    ...kinds.map((kind) => `start: ${kind}`),
    ...kinds.map((kind) => `end: ${kind}`),
    'scans of the end',
  ];
  const costs = `With the triggers of the totals, recording a batch takes ${cost.batch.toFixed(3)} times as long, and the outcome of a document ${cost.document.toFixed(3)} times. Outcomes that arrive eight at a time take ${cost.together.toFixed(2)} of the time that they take in a transaction each.`;
  return [formatMarkdownTable(head, rows), costs].join('\n\n');
}

function formatWorkCells({ blocks, rows, cpuMs }: Work, first: Work | undefined): readonly string[] {
  return [String(blocks), String(rows), `${cpuMs.toFixed(2)} (${(cpuMs / (first?.cpuMs ?? NaN)).toFixed(2)} ×)`];
}

const MAX_STATEMENT = 150;

function formatMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const formatLine = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [formatLine(head), formatLine(widths.map((width) => '-'.repeat(width))), ...rows.map(formatLine)].join('\n');
}
