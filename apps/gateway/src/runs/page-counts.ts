import type { DocumentPages } from '@quarry/contracts';

/** Describes the pages of one document, as the worker reports them. */
export interface PageCounts {
  readonly undecodedPages?: number | undefined;
  readonly imagePages?: number | undefined;
  readonly recognizedPages?: number | undefined;
  /** In percent. */
  readonly recognitionConfidence?: number | undefined;
  readonly pages?: number | undefined;
}

/** Builds the counts that are stored with a document. @returns null if the document has no pages */
export function buildDocumentPages(counts: PageCounts): DocumentPages | null {
  const { pages: total, undecodedPages, imagePages, recognizedPages, recognitionConfidence } = counts;
  if (total === undefined) return null;
  return {
    total,
    undecoded: undecodedPages ?? 0,
    images: imagePages ?? 0,
    recognized: recognizedPages ?? 0,
    confidence: recognitionConfidence ?? null,
  };
}
