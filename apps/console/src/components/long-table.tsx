import { Fragment, useRef, type ReactNode } from 'react';
import { ListEnd } from './list-end.js';
import { TableCells, TableHead, type TableProps } from './table-parts.js';
import { useFixedColumnWidths } from './use-fixed-column-widths.js';
import { useVisibleRows, type VisibleRows } from './use-visible-rows.js';

/** Height of a row with one line of text, in pixels. */
const ROW_HEIGHT = 44;

/** Shows a table that scrolls inside a frame of limited height. Only its visible rows are in the HTML document. */
export function LongTable<Row>({ label, columns, rows, getKey, more }: TableProps<Row>): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const { frame, visible, height, measure, onFocus } = useVisibleRows({ rows, getKey, rowHeight: ROW_HEIGHT, more });
  useFixedColumnWidths(table, visible.length > 0);
  return (
    <div
      aria-label={label}
      className="table-frame table-frame-long"
      onFocus={onFocus}
      ref={frame}
      role="region"
      // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1)
      tabIndex={0}
    >
      <table
        aria-label={label}
        aria-rowcount={more?.hasMore === true ? -1 : rows.length + 1}
        className="table"
        ref={table}
      >
        <TableHead columns={columns} />
        <tbody>
          <VisibleTableRows columns={columns} height={height} measure={measure} rows={rows} visible={visible} />
        </tbody>
      </table>
      {more !== undefined && <ListEnd {...more} />}
    </div>
  );
}

type VisibleTableRowsProps<Row> = Pick<TableProps<Row>, 'columns' | 'rows'> &
  Pick<VisibleRows, 'visible' | 'height' | 'measure'>;

/** Shows the visible rows. Empty rows of the same total height replace the rows that are not rendered. */
function VisibleTableRows<Row>(props: VisibleTableRowsProps<Row>): ReactNode {
  const { columns, rows, visible, height, measure } = props;
  return (
    <>
      {visible.map(({ index, start, key }, at) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <Fragment key={key}>
            <RowSpacer height={start - (visible[at - 1]?.end ?? 0)} />
            <tr aria-rowindex={index + 2} data-index={index} ref={measure}>
              <TableCells columns={columns} row={row} />
            </tr>
          </Fragment>
        );
      })}
      <RowSpacer height={height - (visible.at(-1)?.end ?? 0)} />
    </>
  );
}

function RowSpacer({ height }: { readonly height: number }): ReactNode {
  return height > 0 && <tr aria-hidden="true" className="table-gap" style={{ height }} />;
}
