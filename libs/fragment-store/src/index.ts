export { requireVectorDimensions, requireValidVersion } from './require-valid-version.js';
export { getCollectionName } from './collection-name.js';
export {
  DocumentLanguages,
  detectVersionLanguage,
  selectFrequentLanguages,
  type LanguageCounts,
} from './document-languages.js';
export { DimensionMismatch } from './dimension-mismatch.js';
export type {
  Collection,
  DocumentRef,
  DocumentVersion,
  FoundContent,
  FragmentListing,
  FragmentStore,
  LexicalQuery,
  NewFragment,
  Offer,
  ScoredFragment,
  StoredDocument,
  StoredFragment,
} from './fragment-store.js';
export type { ExcludedContent, ExcludedDocument, FragmentScope, PriceBounds } from './fragment-scope.js';
export {
  createProfileOfTerms,
  decodeDocumentProfile,
  DocumentProfileBuilder,
  type DocumentProfile,
} from './document-profile.js';
export { normalizeByReferenceLength } from './convert-scores.js';
export { computeCosine } from './cosine.js';
export { hashTerm } from './hash-term.js';
export { TermCounter, type TermOccurrences } from './term-counter.js';
export { computeTermWeight } from './term-weight.js';
export { decodeRectangles, encodeRectangles } from './rectangles.js';
export {
  encodeMetadataKey,
  encodeMetadataTerm,
  listMetadataFields,
  MAX_METADATA_VALUES,
  type MetadataField,
} from './metadata-fields.js';
export type { MetadataComparison, MetadataCompound, MetadataFilter, MetadataScalar } from './metadata-filter.js';
export { MIN_COMPARED_FRAGMENTS, rankByDocuments } from './rank-by-documents.js';
export { yieldToEventLoop } from './yield-to-event-loop.js';
export {
  computeDocumentId,
  computeFragmentId,
  computeFragmentIdOfVersion,
  hasContentOfVersion,
  computeVersionId,
} from './identity.js';
export { createDocumentRef } from './create-document-ref.js';
export { isExcludedFromListing, selectListedRanges, type ListedRange } from './listed-ranges.js';
