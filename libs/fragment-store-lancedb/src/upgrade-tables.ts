import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import { splitTableByOrganization } from './split-table.js';
import { isSharedTable, isTableOfCollection } from './table-name.js';
import { createTableSchema, INDEXES } from './table-schema.js';
import { updateColumnsAndIndexes } from './tables.js';

const TABLE_SUFFIX = '.lance';
/** Prefix of the folder name of a shared table whose rows were copied to the tables of their organizations. */
const RETIRED_PREFIX = 'retired-';
/** Name of the file that describes the columns and indexes of all tables. */
const LAYOUT_FILE = 'layout.json';

/**
 * Upgrades the tables of earlier versions of Quarry in a folder: splits tables of several organizations, and updates
 * the columns and indexes. Only the writer of the folder may call it, before its first write.
 *
 * The upgrade can be killed at any point and repeated. A shared table stays unchanged until all of its rows are copied.
 * Its folder is then renamed in one step. A layout file records the columns and indexes, so that the next start need
 * not open the tables.
 */
export async function upgradeTables(connection: Connection, directory: string): Promise<void> {
  await removeRetiredTables(directory);
  for (const name of (await listTableNames(directory)).filter(isSharedTable)) {
    await dropTablesOfCollection(directory, name);
    await splitTableByOrganization(connection, name);
    await rename(join(directory, `${name}${TABLE_SUFFIX}`), join(directory, `${RETIRED_PREFIX}${name}`));
    await removeRetiredTables(directory);
  }
  await updateAllTables(connection, directory);
}

/**
 * Removes the tables of organizations that an interrupted split left incomplete. Their rows are still in the shared
 * table.
 */
async function dropTablesOfCollection(directory: string, collectionName: string): Promise<void> {
  for (const name of await listTableNames(directory)) {
    if (!isTableOfCollection(collectionName, name)) continue;
    await rm(join(directory, `${name}${TABLE_SUFFIX}`), { recursive: true });
  }
}

/** Removes the folders of shared tables whose rows were copied to the tables of their organizations. */
async function removeRetiredTables(directory: string): Promise<void> {
  const retired = (await readdir(directory)).filter((name) => name.startsWith(RETIRED_PREFIX));
  for (const name of retired) await rm(join(directory, name), { recursive: true });
}

/** Updates the columns and indexes of all tables, unless they are up to date according to the layout file. */
async function updateAllTables(connection: Connection, directory: string): Promise<void> {
  const path = join(directory, LAYOUT_FILE);
  const layout = describeTableLayout();
  if ((await readFile(path, 'utf8').catch(() => '')) === layout) return;
  for (const name of await listTableNames(directory)) {
    const table = await connection.openTable(name);
    await updateColumnsAndIndexes(table);
    table.close();
  }
  await writeFile(path, layout);
}

/** Returns the columns and the indexes of all tables of this version of Quarry as JSON. */
function describeTableLayout(): string {
  const columns = createTableSchema(null).fields.map(({ name }) => name);
  const indexes = INDEXES.map(({ column }) => column);
  return `${JSON.stringify({ columns, indexes })}\n`;
}

async function listTableNames(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => name.endsWith(TABLE_SUFFIX)).map((name) => name.slice(0, -TABLE_SUFFIX.length));
}
