import { Fragment, useRef, type ReactNode } from 'react';
import './data.css';
import { ListEnd, type MoreRows } from './list-end.js';
import { useColumnWidths } from './use-column-widths.js';
import { useVisibleRows, type VisibleRows } from './use-visible-rows.js';

export interface Column<Row> {
  /** Identifies the column. */
  readonly key: string;
  readonly title: string;
  /** `number` aligns right, `main` names the row, `actions` is as narrow as its buttons and hides its title. */
  readonly kind?: 'text' | 'number' | 'main' | 'actions';
  readonly render: (row: Row) => ReactNode;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  /** The rows that are not loaded. Absent: all rows are loaded. */
  readonly more?: MoreRows;
  /** The rows have no controls, so that keyboards scroll the frame of the table itself (WCAG 2.1.1). */
  readonly isReadOnly?: boolean;
}

/** The number of rows up to which a table shows all of them, and is as high as they are. */
const MAX_PLAIN_ROWS = 40;
/** Height of a row with one line in pixels. */
const ROW_HEIGHT = 44;

/** Shows a table of any length. A long one scrolls in its own frame, and only its visible rows are in the document. */
export function Table<Row>({ more, isReadOnly = false, ...props }: TableProps<Row>): ReactNode {
  const { label, columns, rows, getKey } = props;
  const isLong = rows.length > MAX_PLAIN_ROWS || more?.hasMore === true;
  const table = useRef<HTMLTableElement>(null);
  const { frame, visible, height, measure, onFocus } = useVisibleRows({
    rows: isLong ? rows : NO_ROWS,
    getKey,
    rowHeight: ROW_HEIGHT,
    more,
  });
  useColumnWidths(table, visible.length > 0);
  return (
    <div
      className={isLong ? 'table-frame table-frame-long' : 'table-frame'}
      onFocus={onFocus}
      ref={frame}
      {...(isReadOnly || isLong ? { 'aria-label': label, role: 'region', tabIndex: 0 } : {})}
    >
      <table
        aria-label={label}
        className="table"
        ref={table}
        {...(isLong ? { 'aria-rowcount': more?.hasMore === true ? -1 : rows.length + 1 } : {})}
      >
        <thead>
          <tr>
            {columns.map(({ key, title, kind = 'text' }) => (
              <th className={`cell-${kind}`} key={key} scope="col">
                {kind === 'actions' ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isLong ? (
            <LongTableRows columns={columns} height={height} measure={measure} rows={rows} visible={visible} />
          ) : (
            rows.map((row) => (
              <tr key={getKey(row)}>
                <Cells columns={columns} row={row} />
              </tr>
            ))
          )}
        </tbody>
      </table>
      {more !== undefined && <ListEnd {...more} />}
    </div>
  );
}

const NO_ROWS: readonly never[] = [];

type LongTableRowsProps<Row> = Pick<TableProps<Row>, 'columns' | 'rows'> &
  Pick<VisibleRows, 'visible' | 'height' | 'measure'>;

/** Shows the visible rows. Empty rows stand for the others, with their height. */
function LongTableRows<Row>(props: LongTableRowsProps<Row>): ReactNode {
  const { columns, rows, visible, height, measure } = props;
  return (
    <>
      {visible.map(({ index, start, key }, at) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <Fragment key={key}>
            <Gap height={start - (visible[at - 1]?.end ?? 0)} />
            <tr aria-rowindex={index + 2} data-index={index} ref={measure}>
              <Cells columns={columns} row={row} />
            </tr>
          </Fragment>
        );
      })}
      <Gap height={height - (visible.at(-1)?.end ?? 0)} />
    </>
  );
}

function Gap({ height }: { readonly height: number }): ReactNode {
  return height > 0 && <tr aria-hidden="true" className="table-gap" style={{ height }} />;
}

interface CellsProps<Row> extends Pick<TableProps<Row>, 'columns'> {
  readonly row: Row;
}

function Cells<Row>({ columns, row }: CellsProps<Row>): ReactNode {
  return columns.map(({ key, kind = 'text', render }) => (
    <td className={`cell-${kind}`} key={key}>
      {render(row)}
    </td>
  ));
}
