import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queries } from './database.js';

/** Describes columns of a table, for a statement that reads the values of many rows from one JSON parameter. */
export interface RowColumns<Row> {
  /** The names of the columns, separated by commas. */
  readonly names: SQL;
  /**
   * Builds the source of a `from` clause that yields the given rows under the name `alias`. The SQL text does not
   * depend on the number of rows.
   */
  readonly buildValuesSource: (rows: readonly Row[], alias: string) => SQL;
}

/**
 * Describes columns of a table for statements that write any number of rows. The SQL text of such a statement does not
 * depend on the number of rows, so PostgreSQL can reuse the plan.
 */
export function describeRowColumns<Table extends PgTable, Name extends keyof Table['$inferSelect'] & string>(
  table: Table,
  names: readonly Name[],
): RowColumns<Pick<Table['$inferSelect'], Name>> {
  const all: Readonly<Record<string, PgColumn>> = getTableColumns(table);
  const columns = names.map((name) => ({ name, column: requireColumn(all, name) }));
  const joinColumns = (format: (name: SQL, column: PgColumn) => SQL): SQL =>
    sql.join(
      columns.map(({ column }) => format(sql.identifier(column.name).getSQL(), column)),
      sql`, `,
    );
  const shape = joinColumns((name, column) => sql`${name} ${sql.raw(column.getSQLType())}`);
  return {
    names: joinColumns((name) => name),
    buildValuesSource: (rows, alias) => {
      const values = JSON.stringify(
        rows.map((row) => Object.fromEntries(columns.map(({ name, column }) => [column.name, row[name] ?? null]))),
      );
      return sql`jsonb_to_recordset(${values}::jsonb) as ${sql.identifier(alias)}(${shape})`;
    },
  };
}

/** Builds a statement that updates some columns of existing rows, which it finds by their `id`. */
export type BuildRowUpdate<Row> = (rows: readonly Row[], condition?: SQL) => SQL;

/**
 * Creates a function that builds a statement to update any number of rows.
 *
 * @param names the columns that are written
 */
export function createRowUpdateBuilder<Table extends PgTable & { readonly id: PgColumn }>(
  table: Table,
  names: readonly (keyof Table['$inferSelect'] & string)[],
): BuildRowUpdate<Table['$inferSelect']> {
  const all: Readonly<Record<string, PgColumn>> = getTableColumns(table);
  const { buildValuesSource } = describeRowColumns(table, ['id', ...names]);
  const set = sql.join(
    names.map((name) => {
      const column = sql.identifier(requireColumn(all, name).name);
      return sql`${column} = updated.${column}`;
    }),
    sql`, `,
  );
  return (rows, condition = sql`true`) => {
    // PostgreSQL cannot estimate the number of rows in the JSON parameter. The additional condition on the ids makes it
    // use the index, even for a small table.
    const ids = sql.param(rows.map(({ id }) => id));
    return sql`update ${table} set ${set} from ${buildValuesSource(rows, 'updated')}
        where ${table}.id = updated.id and ${table}.id = any(${ids}::uuid[]) and ${condition}`;
  };
}

/** Updates some columns of existing rows, which it finds by their `id`. */
export type UpdateRows<Row> = (tx: Queries, rows: readonly Row[]) => Promise<void>;

/** Creates a function that updates any number of rows with one statement. @param names the columns that are written */
export function createRowUpdater<Table extends PgTable & { readonly id: PgColumn }>(
  table: Table,
  names: readonly (keyof Table['$inferSelect'] & string)[],
): UpdateRows<Table['$inferSelect']> {
  const buildUpdate = createRowUpdateBuilder(table, names);
  return async (tx, rows) => {
    if (rows.length > 0) await tx.execute(buildUpdate(rows));
  };
}

function requireColumn(columns: Readonly<Record<string, PgColumn>>, name: string): PgColumn {
  const column = columns[name];
  if (column === undefined) throw new Error(`expected the name of a column of the table, found ${name}`);
  return column;
}
