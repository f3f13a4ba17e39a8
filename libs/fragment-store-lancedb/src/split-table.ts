import type { Connection, Table } from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { buildEqualsCondition } from './filters.js';
import { getTextColumn, type FoundRow } from './found-rows.js';
import { readVectorDimensions } from './table-columns.js';
import { getTableName } from './table-name.js';
import { createTableSchema } from './table-schema.js';
import { updateColumnsAndIndexes } from './tables.js';

/** Maximum number of rows that are copied at once, to limit the memory. */
const MAX_COPIED_ROWS = 8_192;

/** Copies the rows of a table of several organizations to new tables, one per organization. */
export async function splitTableByOrganization(connection: Connection, name: string): Promise<void> {
  const shared = await connection.openTable(name);
  await updateColumnsAndIndexes(shared);
  const schema = createTableSchema(await readVectorDimensions(shared));
  for (const organizationId of await listOrganizations(shared)) {
    const table = await connection.createEmptyTable(getTableName(name, organizationId), schema);
    await copyRowsOfOrganization(shared, table, schema, organizationId);
    await updateColumnsAndIndexes(table);
    table.close();
  }
  shared.close();
}

async function copyRowsOfOrganization(
  shared: Table,
  table: Table,
  schema: Schema,
  organizationId: string,
): Promise<void> {
  const condition = buildEqualsCondition('organization_id', organizationId);
  const columns = schema.fields.map((field) => field.name);
  let batches: RecordBatch[] = [];
  let rows = 0;
  const addBatches = async (): Promise<void> => {
    const [first] = batches;
    if (first !== undefined) await table.add({ schema: first.schema, batches });
    batches = [];
    rows = 0;
  };
  for await (const batch of shared.query().where(condition).select(columns)) {
    batches.push(batch);
    rows += batch.numRows;
    if (rows >= MAX_COPIED_ROWS) await addBatches();
  }
  await addBatches();
  const [expected, found] = [await shared.countRows(condition), await table.countRows()];
  if (expected !== found)
    throw new Error(`expected ${expected} copied rows in the table ${table.name}, found ${found}`);
}

/** Lists the organizations of a table. Rows of vacated slots have no organization. */
async function listOrganizations(table: Table): Promise<string[]> {
  const organizations = new Set<string>();
  for await (const batch of table.query().select(['organization_id'])) {
    // The cast is needed because the driver declares its rows as `any`.
    for (const row of batch.toArray() as FoundRow[]) organizations.add(getTextColumn(row, 'organization_id'));
  }
  organizations.delete('');
  return [...organizations];
}
