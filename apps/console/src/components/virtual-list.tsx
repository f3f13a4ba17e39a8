import type { ReactNode } from 'react';
import './data.css';
import { ListEnd, type MoreRows } from './list-end.js';
import { useVisibleRows } from './use-visible-rows.js';

export interface VirtualListProps<Row> {
  /** The name of the list for screen readers. */
  readonly label: string;
  /** The loaded rows. */
  readonly rows: readonly Row[];
  /** Minimum height of a row in pixels. */
  readonly rowHeight: number;
  readonly getKey: (row: Row) => string;
  readonly renderRow: (row: Row) => ReactNode;
  /** The state of the rows that are not loaded yet. Absent: all rows are loaded. */
  readonly more?: MoreRows;
}

/**
 * Shows a list of any length. Only its visible rows are in the HTML document. The next page is loaded when the user
 * scrolls near the end.
 */
export function VirtualList<Row>({ label, renderRow, ...options }: VirtualListProps<Row>): ReactNode {
  const { rows, rowHeight, more } = options;
  const { frame, visible, height, measure, onFocus } = useVisibleRows(options);
  return (
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1)
    <div aria-label={label} className="virtual-list" onFocus={onFocus} ref={frame} role="region" tabIndex={0}>
      <div className="virtual-list-space" role="list" style={{ height }}>
        {visible.map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              aria-posinset={index + 1}
              aria-setsize={more?.hasMore === true ? -1 : rows.length}
              className="virtual-list-row"
              data-index={index}
              key={key}
              ref={measure}
              role="listitem"
              style={{ minHeight: rowHeight, transform: `translateY(${start}px)` }}
            >
              {renderRow(row)}
            </div>
          );
        })}
      </div>
      {more !== undefined && <ListEnd {...more} />}
    </div>
  );
}
