import type { ExplainedStatement, TableScan } from './explain-statements.js';

/** Describes the scan of a growing table in which a statement reads too many rows. */
export interface FullScan extends TableScan {
  readonly statement: string;
  readonly milliseconds: number;
}

/** Tables that grow with the content of the customers. All other tables have few rows per organization. */
const GROWING_TABLES = [
  'conversations',
  'datasources',
  'discarded_blobs',
  'document_totals',
  'documents',
  'idempotency_keys',
  'messages',
  'outbox',
  'removals',
  'run_documents',
  'runs',
  'source_erasures',
  'token_reservations',
];

/** Lists the scans that read more than `maxRows` rows of a growing table. */
export function listFullScans(statements: Iterable<ExplainedStatement>, maxRows: number): readonly FullScan[] {
  return [...statements].flatMap(({ text, milliseconds, scans }) =>
    scans
      .filter(({ table, rows }) => GROWING_TABLES.includes(table) && rows > maxRows)
      .map((scan) => ({ ...scan, statement: shortenStatement(text), milliseconds })),
  );
}

const MAX_SHOWN = 300;

/** Removes the list of selected columns from a statement. The list is long and does not change the plan. */
function shortenStatement(text: string): string {
  return text
    .replaceAll(/"quarry"\./g, '')
    .replace(/^select .*? from (?!\()/s, 'select … from ')
    .slice(0, MAX_SHOWN);
}
