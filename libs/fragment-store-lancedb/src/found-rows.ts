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
    id: readText(row, 'id'),
    datastoreId: readText(row, 'datastore_id'),
    datasourceId: readText(row, 'datasource_id'),
    documentKey: readText(row, 'document_key'),
    customId: readOptionalText(row, 'custom_id'),
    source: readOptionalText(row, 'source'),
    version: readText(row, 'content_hash'),
    generation: readNumber(row, 'generation'),
    page: row['page'] === null ? null : readNumber(row, 'page'),
    location: readOptionalText(row, 'location'),
    ordinal: readNumber(row, 'ordinal'),
    context: readText(row, 'context'),
    text: readText(row, 'text'),
    score,
  };
}

export function readText(row: FoundRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`expected text in column ${column}, found ${typeof value}`);
  return value;
}

export function readNumber(row: FoundRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`expected a number in column ${column}, found ${typeof value}`);
  return value;
}

export function readOptionalText(row: FoundRow, column: string): string | null {
  return row[column] === null ? null : readText(row, column);
}
