export { checkVector, checkVersion } from './check-version.js';
export { collectionName } from './collection-name.js';
export {
  DimensionMismatch,
  type Collection,
  type DocumentRef,
  type DocumentVersion,
  type ExcludedContent,
  type ExcludedDocument,
  type FoundContent,
  type FragmentScope,
  type FragmentStore,
  type NewFragment,
  type Offer,
  type PriceBounds,
  type ScoredFragment,
  type StoredDocument,
} from './fragment-store.js';
export { yieldToEventLoop } from './yield-to-event-loop.js';
export { documentId, fragmentId, fragmentIdOfVersion, isWrittenBy, versionId } from './identity.js';
export { storedDocument } from './stored-document.js';
