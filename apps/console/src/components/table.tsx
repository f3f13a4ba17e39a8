import { Suspense, type ReactNode } from 'react';
import './data.css';
import { lazyComponent } from './lazy-component.js';
import { ListEnd } from './list-end.js';
import { TableCells, TableHead, type TableProps } from './table-parts.js';

export type { Column } from './table-parts.js';

/** Maximum number of rows that a table renders all at once. A table with more rows is a `LongTable`. */
const MAX_PLAIN_ROWS = 40;

/**
 * The table for many rows. Its code is loaded when it is first needed, because it includes a library that short tables
 * do not need.
 */
const LongTable = lazyComponent(async () => (await import('./long-table.js')).LongTable);

/**
 * Shows a table of any length. A table with many rows scrolls inside its own frame, and only its visible rows are in
 * the HTML document.
 */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { rows, more } = props;
  if (rows.length <= MAX_PLAIN_ROWS && more?.hasMore !== true) return <PlainTable {...props} />;
  // A `lazy` component has no type parameter for the rows.
  const untyped = props as unknown as TableProps<unknown>;
  return (
    <Suspense
      fallback={
        <div aria-busy="true">
          <PlainTable {...props} rows={rows.slice(0, MAX_PLAIN_ROWS)} />
        </div>
      }
    >
      <LongTable {...untyped} />
    </Suspense>
  );
}

function PlainTable<Row>({ label, columns, rows, getKey, more, isReadOnly = false }: TableProps<Row>): ReactNode {
  return (
    <div className="table-frame" {...(isReadOnly ? { 'aria-label': label, role: 'region', tabIndex: 0 } : {})}>
      <table aria-label={label} className="table">
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              <TableCells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
      {more !== undefined && <ListEnd {...more} />}
    </div>
  );
}
