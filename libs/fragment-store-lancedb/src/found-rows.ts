import type { ScoredFragment } from '@quarry/fragment-store';

/** Describes a row of the driver, with the requested columns. */
export type FoundRow = Readonly<Record<string, unknown>>;

export const FRAGMENT_COLUMNS = [
  ...['id', 'datastore_id', 'datasource_id', 'document_key', 'custom_id', 'source'],
  ...['content_hash', 'generation'],
  ...['page', 'location', 'ordinal', 'context', 'text'],
];

export function parseScoredFragment(row: FoundRow, score: number): ScoredFragment {
  return {
    id: textOf(row, 'id'),
    datastoreId: textOf(row, 'datastore_id'),
    datasourceId: textOf(row, 'datasource_id'),
    documentKey: textOf(row, 'document_key'),
    customId: optionalTextOf(row, 'custom_id'),
    source: optionalTextOf(row, 'source'),
    version: textOf(row, 'content_hash'),
    generation: numberOf(row, 'generation'),
    page: row['page'] === null ? null : numberOf(row, 'page'),
    location: optionalTextOf(row, 'location'),
    ordinal: numberOf(row, 'ordinal'),
    context: textOf(row, 'context'),
    text: textOf(row, 'text'),
    score,
  };
}

export function textOf(row: FoundRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`expected text in column ${column}, found ${typeof value}`);
  return value;
}

export function numberOf(row: FoundRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`expected a number in column ${column}, found ${typeof value}`);
  return value;
}

function optionalTextOf(row: FoundRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}
