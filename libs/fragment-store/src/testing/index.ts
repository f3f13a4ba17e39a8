export { describeFragmentStore } from './describe-fragment-store.js';
export { inMemoryFragmentStore } from './in-memory-fragment-store.js';
export type { Attempt, OpenedFragmentStore } from './opened-store.js';
export {
  SAMPLE_COLLECTION,
  sampleDocument,
  sampleFragment,
  sampleVector,
  sampleVersion,
  scopeOf,
  WORDS_COLLECTION,
} from './sample-documents.js';
