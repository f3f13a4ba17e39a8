import { MAX_PAGE_CONFIDENCES, type PageConfidence } from '@quarry/contracts';

/**
 * Returns the pages with the lowest confidence, in the order of the page numbers. Limits their number, because events
 * and stored documents contain them.
 */
export function selectLowestConfidences(pages: readonly PageConfidence[]): readonly PageConfidence[] {
  const lowest = pages.toSorted((one, other) => one.confidence - other.confidence).slice(0, MAX_PAGE_CONFIDENCES);
  return lowest.toSorted((one, other) => one.page - other.page);
}
