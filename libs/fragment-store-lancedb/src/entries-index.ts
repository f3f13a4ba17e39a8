import { Index, type Table } from '@lancedb/lancedb';

const COLUMN = 'entries';
/** Name that the driver gives to the index of the column `entries`. */
const NAME = `${COLUMN}_idx`;

/** Configures the index of a column that contains lists of texts. */
export function createEntriesIndexConfig(): Index {
  return Index.labelList();
}

/**
 * Returns true if most rows of a table are in the index of the column `entries`. Otherwise, filters search the text in
 * the column `metadata`, because comparing the lists row by row takes longer.
 */
export async function areMostEntriesIndexed(table: Table): Promise<boolean> {
  const statistics = await table.indexStats(NAME);
  return statistics !== undefined && statistics.numIndexedRows >= statistics.numUnindexedRows;
}

/**
 * Removes the index of the column `entries` before an optimization if rows are missing in it. In LanceDB, creating this
 * index is faster than updating it.
 */
export async function dropOutdatedEntriesIndex(table: Table): Promise<void> {
  const statistics = await table.indexStats(NAME);
  if (statistics !== undefined && statistics.numUnindexedRows > 0) await table.dropIndex(NAME);
}

/** Creates the index of the column `entries` if it was removed. */
export async function createEntriesIndexIfMissing(table: Table): Promise<void> {
  if ((await table.indexStats(NAME)) === undefined)
    await table.createIndex(COLUMN, { config: createEntriesIndexConfig() });
}
