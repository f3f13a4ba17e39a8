export { describeFragmentStore, describePersistentFragmentStore } from './describe-fragment-store.js';
export { createInMemoryFragmentStore } from './in-memory-fragment-store.js';
export { isMetadataMatch } from './is-metadata-match.js';
export type { Attempt, OpenedFragmentStore, OpenedPersistentStore } from './opened-store.js';
export {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
  createScope,
  WORDS_COLLECTION,
} from './sample-documents.js';
