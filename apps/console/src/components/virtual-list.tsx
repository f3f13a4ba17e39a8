import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import './data.css';

export interface VirtualListProps<Row> {
  /** Names the list for screen readers. */
  readonly label: string;
  /** The rows that are loaded. */
  readonly rows: readonly Row[];
  /** Height of a row in pixels. */
  readonly rowHeight: number;
  readonly getKey: (row: Row) => string;
  readonly renderRow: (row: Row, index: number) => ReactNode;
  /** Loads the next page when the reader scrolls near the end. Absent: all rows are loaded. */
  readonly onEndReached?: (() => void) | undefined;
}

/** Rows before and after the visible ones. */
const OVERSCAN = 8;
/** Number of rows before the end at which the next page is loaded. */
const LOAD_AHEAD = 20;

/** Shows a list of any length. Only the visible rows are in the document. */
export function VirtualList<Row>(props: VirtualListProps<Row>): ReactNode {
  const { label, rows, rowHeight, getKey, renderRow, onEndReached } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  const visible = virtualizer.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  const isNearEnd = last >= rows.length - LOAD_AHEAD;
  useEffect(() => {
    if (isNearEnd) onEndReached?.();
  }, [isNearEnd, onEndReached, rows.length]);
  return (
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1)
    <div aria-label={label} className="virtual-list" ref={frame} role="region" tabIndex={0}>
      <div className="virtual-list-space" role="list" style={{ height: virtualizer.getTotalSize() }}>
        {visible.map(({ index, start, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              aria-posinset={index + 1}
              aria-setsize={onEndReached === undefined ? rows.length : -1}
              className="virtual-list-row"
              key={getKey(row)}
              role="listitem"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {renderRow(row, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
