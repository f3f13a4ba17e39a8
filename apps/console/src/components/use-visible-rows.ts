import { defaultRangeExtractor, useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { addRowWithNeighbours } from './add-row-with-neighbours.js';
import type { MoreRows } from './list-end.js';

export interface VisibleRowsOptions<Row> {
  /** The loaded rows. */
  readonly rows: readonly Row[];
  readonly getKey: (row: Row) => string;
  /** Estimated height of a row in pixels, which is used until the row is measured. */
  readonly rowHeight: number;
  /** The state of the rows that are not loaded yet. Absent: all rows are loaded. */
  readonly more?: MoreRows | undefined;
  /**
   * Key of a row that stays in the HTML document even if it is not visible, such as the selected row. Default: the row
   * that last had the focus.
   */
  readonly keptKey?: string | undefined;
}

export interface VisibleRows {
  /** The ref for the element that scrolls and contains the rows. */
  readonly frame: RefObject<HTMLDivElement | null>;
  /**
   * The indexes and positions of the rows to render. The element of each row needs its index as `data-index`, and
   * `measure` as its `ref`.
   */
  readonly visible: readonly VirtualItem[];
  /** Total height of all loaded rows in pixels, partly estimated. */
  readonly height: number;
  readonly measure: (row: Element | null) => void;
  /** Handler for `focus` events of the frame. It ensures that the row with the focus stays in the HTML document. */
  readonly onFocus: (event: FocusEvent) => void;
  /** Scrolls to the row with an index. */
  readonly scrollTo: Virtualizer<HTMLDivElement, Element>['scrollToIndex'];
}

/** Number of rendered rows before and after the visible rows. */
const OVERSCAN = 8;
/** Maximum number of loaded rows below the last visible row at which the next page is loaded. */
const LOAD_AHEAD = 20;

/**
 * Finds the rows near the visible part of a list, and loads the next page before the user reaches the end. The row that
 * last had the focus and its neighbours stay in the HTML document, so that Tab continues there after scrolling.
 */
export function useVisibleRows<Row>(options: VisibleRowsOptions<Row>): VisibleRows {
  const { rows, rowHeight, more } = options;
  const frame = useRef<HTMLDivElement>(null);
  const [focusedKey, setFocusedKey] = useState<string>();
  // The key of a row never changes, so all renders use the first `getKey`. Another function would reset the measured
  // heights.
  const [getKey] = useState(() => options.getKey);
  const getItemKey = useCallback((index: number) => getRowKeyAt(rows, index, getKey), [rows, getKey]);
  const keptKey = options.keptKey ?? focusedKey;
  const keptIndex = keptKey === undefined ? -1 : rows.findIndex((row) => getKey(row) === keptKey);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    getItemKey,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor: (range) => addRowWithNeighbours(defaultRangeExtractor(range), keptIndex, rows.length),
  });
  const end = virtualizer.range?.endIndex ?? 0;
  const mustLoad = more?.hasMore === true && !more.isLoading && more.error === null && end >= rows.length - LOAD_AHEAD;
  useEffect(() => {
    if (mustLoad) more.onLoad();
  });
  return {
    frame,
    visible: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    onFocus: ({ target }) => {
      const row = target.closest<HTMLElement>('[data-index]');
      if (row !== null) setFocusedKey(getItemKey(Number(row.dataset['index'])));
    },
    scrollTo: virtualizer.scrollToIndex,
  };
}

function getRowKeyAt<Row>(rows: readonly Row[], index: number, getKey: (row: Row) => string): string {
  const row = rows[index];
  return row === undefined ? '' : getKey(row);
}
