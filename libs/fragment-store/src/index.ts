export {
  DimensionMismatch,
  type Collection,
  type DocumentRef,
  type DocumentVersion,
  type FragmentScope,
  type FragmentStore,
  type NewFragment,
  type ScoredFragment,
  type StoredDocument,
} from './fragment-store.js';
