import { describeFragmentStore } from './describe-fragment-store.js';
import { inMemoryFragmentStore } from './in-memory-fragment-store.js';

describeFragmentStore('the in-memory fragment store', async () => {
  const store = inMemoryFragmentStore();
  return { store, cleanup: () => store.close() };
});
