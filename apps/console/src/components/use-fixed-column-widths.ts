import { useLayoutEffect, type RefObject } from 'react';

/**
 * Fixes the column widths that the browser computes for the rows that a table renders first. The widths thus do not
 * change while the user scrolls. Measures them again when the frame around the table becomes wider or narrower.
 *
 * @param isActive false while the table renders no rows; the widths are then not fixed
 */
export function useFixedColumnWidths(table: RefObject<HTMLTableElement | null>, isActive: boolean): void {
  useLayoutEffect(() => {
    const { current: element } = table;
    const frame = element?.parentElement;
    if (!isActive || element === null || frame === null || frame === undefined) return;
    let width: number | undefined;
    const observer = new ResizeObserver(() => {
      if (frame.clientWidth === width) return;
      width = frame.clientWidth;
      releaseColumnWidths(element);
      fixColumnWidths(element);
    });
    observer.observe(frame);
    return () => {
      observer.disconnect();
      releaseColumnWidths(element);
    };
  }, [table, isActive]);
}

function fixColumnWidths(table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll('th')];
  const widths = heads.map((head) => head.getBoundingClientRect().width);
  for (const [at, head] of heads.entries()) head.style.width = `${widths[at] ?? 0}px`;
  table.style.width = `${table.getBoundingClientRect().width}px`;
  table.style.tableLayout = 'fixed';
}

function releaseColumnWidths(table: HTMLTableElement): void {
  table.style.tableLayout = '';
  table.style.width = '';
  for (const head of table.querySelectorAll('th')) head.style.width = '';
}
