import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queries } from './database.js';

/** Updates some columns of existing rows. The `id` of each row selects the stored row. */
export type UpdateRows<Row> = (tx: Queries, rows: readonly Row[]) => Promise<void>;

/**
 * Builds a function that updates any number of rows with one statement. The text of the statement does not depend on the number of
 * rows, so that PostgreSQL reuses its plan.
 *
 * @param names the columns that are written
 */
export function buildRowUpdates<Table extends PgTable & { readonly id: PgColumn }>(
  table: Table,
  names: readonly (keyof Table['$inferSelect'] & string)[],
): UpdateRows<Table['$inferSelect']> {
  const all: Readonly<Record<string, PgColumn>> = getTableColumns(table);
  const columns = ['id', ...names].map((name) => ({ name, column: getColumn(all, name) }));
  const joinColumns = (format: (name: SQL, column: PgColumn) => SQL, from = columns): SQL =>
    sql.join(
      from.map(({ column }) => format(sql.identifier(column.name).getSQL(), column)),
      sql`, `,
    );
  const set = joinColumns((name) => sql`${name} = updated.${name}`, columns.slice(1));
  const shape = joinColumns((name, column) => sql`${name} ${sql.raw(column.getSQLType())}`);
  return async (tx, rows) => {
    if (rows.length === 0) return;
    const values = JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map(({ name, column }) => [column.name, row[name] ?? null]))),
    );
    // PostgreSQL does not know how many rows the JSON has. The ids make it use the index of small tables, too.
    const ids = sql.param(rows.map(({ id }) => id));
    await tx.execute(
      sql`update ${table} set ${set} from jsonb_to_recordset(${values}::jsonb) as updated(${shape})
        where ${table}.id = updated.id and ${table}.id = any(${ids}::uuid[])`,
    );
  };
}

function getColumn(columns: Readonly<Record<string, PgColumn>>, name: string): PgColumn {
  const column = columns[name];
  if (column === undefined) throw new Error(`expected the name of a column of the table, found ${name}`);
  return column;
}
