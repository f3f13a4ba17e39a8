import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { INDEXES } from './schema.js';

const NOT_FOUND = /^Table '.*' was not found/s;

/** @returns undefined where nothing was written yet */
export async function openTable(connection: Connection, name: string): Promise<Table | undefined> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (error instanceof Error && NOT_FOUND.test(error.message)) return undefined;
    throw error;
  }
}

/** The table as it is now, whatever is written to it from now on. */
export async function openSnapshot(connection: Connection, name: string): Promise<Table> {
  const table = await connection.openTable(name);
  await table.checkout(await table.version());
  return table;
}

/** Opens the table for writing, and makes what it lacks: all of it the first time, or what a killed process left undone. */
export async function prepareTable(connection: Connection, name: string, schema: Schema): Promise<Table> {
  const table =
    (await openTable(connection, name)) ??
    (await connection.createEmptyTable(name, schema, { mode: 'create', existOk: true }));
  await complete(table);
  return table;
}

/** Gives all tables there are what this version needs and the one that made them did not. */
export async function upgradeTables(connection: Connection): Promise<void> {
  let pageToken: string | undefined;
  do {
    const page = await connection.listTables(pageToken === undefined ? {} : { pageToken });
    for (const name of page.tables) {
      const table = await connection.openTable(name);
      await complete(table);
      table.close();
    }
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
}

async function complete(table: Table): Promise<void> {
  await addMissingFields(table);
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  for (const { column, config } of INDEXES) {
    if (!indexed.has(column)) await table.createIndex(column, { config: config() });
  }
}

/** What older tables lack, and what their rows have there. */
const ADDED = { price: 'CAST(NULL AS DOUBLE)', stock_status: 'CAST(NULL AS STRING)' };

async function addMissingFields(table: Table): Promise<void> {
  const there = new Set((await table.schema()).fields.map(({ name }) => name));
  const missing = Object.entries(ADDED).filter(([name]) => !there.has(name));
  if (missing.length > 0) await table.addColumns(missing.map(([name, valueSql]) => ({ name, valueSql })));
}
