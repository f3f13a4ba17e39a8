import { describeFragmentStore } from './describe-fragment-store.js';
import { inMemoryFragmentStore } from './in-memory-fragment-store.js';

describeFragmentStore('the fragment store in memory', async () => {
  const store = inMemoryFragmentStore();
  return { store, cleanup: () => store.close() };
});
