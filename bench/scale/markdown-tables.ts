import type { IngestionFigures } from './measure-ingestion.js';
import type { StoreFigures } from './measure-store.js';

/** Returns a Markdown table of the stores with the growth of each value since the previous size. */
export function formatStoreTable(figures: readonly StoreFigures[]): string {
  const rows = figures.map((row) => [
    row.store,
    row.fragments.toLocaleString('en'),
    `${row.denseP50.toFixed(1)} / ${row.denseP95.toFixed(1)}`,
    `${row.lexicalP50.toFixed(1)} / ${row.lexicalP95.toFixed(1)}`,
    `${row.residentMib.toFixed(0)} (${row.anonymousMib.toFixed(0)})`,
    row.writtenPerSecond.toFixed(0),
  ]);
  const head = [
    'store',
    'fragments',
    'dense ms, p50 / p95',
    'lexical ms, p50 / p95',
    'memory MiB (anonymous)',
    'writes per second',
  ];
  return formatTable(head, rows);
}

/** Returns a Markdown table of ingestion with the speed relative to one worker. */
export function formatIngestionTable(figures: readonly IngestionFigures[]): string {
  const one = figures[0]?.documentsPerSecond ?? NaN;
  const rows = figures.map(({ workers, documentsPerSecond }) => [
    String(workers),
    documentsPerSecond.toFixed(1),
    `${(documentsPerSecond / one).toFixed(2)} ×`,
  ]);
  return formatTable(['workers', 'documents per second', 'relative'], rows);
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const formatLine = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [formatLine(head), formatLine(widths.map((width) => '-'.repeat(width))), ...rows.map(formatLine)].join('\n');
}
