import type { FragmentListing, StoredDocument } from './fragment-store.js';
import { computeDocumentId } from './identity.js';

/** Describes the range of a document's fragments that a listing of stored fragments returns. */
export interface ListedRange<Document> {
  readonly documentId: string;
  readonly document: Document;
  readonly from: number;
  /** Ordinal of the first fragment after the range. */
  readonly to: number;
}

/**
 * Returns true if the listing excludes a document.
 *
 * @param generation the generation of the stored version of the document
 */
export function isExcludedFromListing(listing: FragmentListing, documentKey: string, generation: number): boolean {
  const { excluded, datasourceId, datastoreId } = listing;
  if (excluded === undefined) return false;
  return (
    excluded.datasourceIds.includes(datasourceId) ||
    excluded.documents.some(
      (one) => one.datastoreId === datastoreId && one.documentKey === documentKey && generation <= one.upTo,
    )
  );
}

/**
 * Selects the ranges of fragments that a listing returns: document by document, until the limit of the listing is
 * reached.
 *
 * @param stored maps document ids to their stored versions
 */
export function selectListedRanges<Document extends Pick<StoredDocument, 'generation' | 'fragments'>>(
  listing: FragmentListing,
  stored: ReadonlyMap<string, Document>,
): readonly ListedRange<Document>[] {
  const ranges: ListedRange<Document>[] = [];
  let left = listing.limit;
  for (const [at, documentKey] of listing.documentKeys.entries()) {
    const documentId = computeDocumentId({ ...listing, documentKey });
    const document = stored.get(documentId);
    if (document === undefined || isExcludedFromListing(listing, documentKey, document.generation)) continue;
    const from = at === 0 ? listing.firstOrdinal : 0;
    const to = Math.min(document.fragments, from + left);
    if (to <= from) continue;
    ranges.push({ documentId, document, from, to });
    left -= to - from;
    if (left === 0) break;
  }
  return ranges;
}
