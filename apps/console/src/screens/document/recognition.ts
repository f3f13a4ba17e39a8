import type { DatasourceDocument } from '@quarry/client';

type DocumentPages = NonNullable<DatasourceDocument['pages']>;
type PageConfidence = DocumentPages['confidences'][number];

/** OCR confidence in percent below which recognized text often has wrong words. */
const LOW_CONFIDENCE = 80;
/** Maximum number of other pages that are listed. */
const MAX_LISTED = 3;

/** Describes how the text of an open page was recognized in its image. */
export interface PageRecognition {
  /** Mean confidence of the words of the page, as a share of 1. Undefined: the page has no recognized text. */
  readonly confidence: number | undefined;
  /** True if the text of the page is likely to have wrong words. */
  readonly isLow: boolean;
  /** The other pages with a low confidence, as shares of 1, the lowest one first. */
  readonly otherLowPages: readonly PageConfidence[];
}

/**
 * Returns how the text of a page was recognized.
 *
 * @param pages the pages of the document; null if it has none
 */
export function describePageRecognition(pages: DocumentPages | null, page: number): PageRecognition {
  const confidences = pages?.confidences ?? [];
  const percent = confidences.find((candidate) => candidate.page === page)?.confidence;
  const otherLowPages = confidences
    .filter((candidate) => candidate.page !== page && candidate.confidence < LOW_CONFIDENCE)
    .toSorted((one, other) => one.confidence - other.confidence || one.page - other.page)
    .slice(0, MAX_LISTED)
    .map((candidate) => ({ page: candidate.page, confidence: candidate.confidence / 100 }));
  return {
    confidence: percent === undefined ? undefined : percent / 100,
    isLow: percent !== undefined && percent < LOW_CONFIDENCE,
    otherLowPages,
  };
}
