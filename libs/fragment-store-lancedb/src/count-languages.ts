import type { Table } from '@lancedb/lancedb';
import type { FragmentScope, LanguageCounts } from '@quarry/fragment-store';
import { buildEqualsCondition, joinConditions } from './filters.js';
import { fetchRows, getTextColumn } from './found-rows.js';
import { hasColumn } from './table-columns.js';

/**
 * Maximum number of rows whose languages are counted, so that a count takes milliseconds. In a larger datastore, only
 * the oldest rows are counted.
 */
const MAX_COUNTED_ROWS = 20_000;

/**
 * Counts the fragments of each language in a datastore. Returns no counts for a table of an earlier version of Quarry,
 * which has no languages.
 */
export async function countLanguages(
  table: Table,
  { organizationId }: Pick<FragmentScope, 'organizationId'>,
  datastoreId: string,
): Promise<LanguageCounts> {
  const counts = new Map<string, number>();
  if (!(await hasColumn(table, 'language'))) return counts;
  const condition = joinConditions(
    buildEqualsCondition('organization_id', organizationId),
    buildEqualsCondition('datastore_id', datastoreId),
    'language IS NOT NULL',
  );
  const query = table.query().where(condition).select(['language']).limit(MAX_COUNTED_ROWS);
  for (const row of await fetchRows(query)) {
    const language = getTextColumn(row, 'language');
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return counts;
}
