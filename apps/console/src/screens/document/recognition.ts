import type { DatasourceDocument } from '@quarry/client';

type DocumentPages = NonNullable<DatasourceDocument['pages']>;
type PageConfidence = DocumentPages['confidences'][number];

/** Mean OCR confidence of a page, in percent, below which the text often contains wrong words. */
const LOW_CONFIDENCE = 80;
/** Maximum number of other pages with a low confidence that are listed. */
const MAX_LISTED = 3;

/** The confidence with which OCR recognized the text of the open page and of other pages of its document. */
export interface PageRecognition {
  /** Mean confidence of the words of the open page, from 0 to 1. Undefined: the page has no recognized text. */
  readonly confidence: number | undefined;
  /** True if the recognized text of the open page is likely to contain wrong words. */
  readonly isLow: boolean;
  /** Other pages with a low confidence, the lowest first, up to `MAX_LISTED`. Confidences are from 0 to 1. */
  readonly otherLowPages: readonly PageConfidence[];
}

/**
 * Returns the OCR confidence of a page, and the other pages of its document with a low confidence.
 *
 * @param pages the pages of the document; null if the document has no pages
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
