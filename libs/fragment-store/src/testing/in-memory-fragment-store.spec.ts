import { describeFragmentStore } from './describe-fragment-store.js';
import { createInMemoryFragmentStore } from './in-memory-fragment-store.js';

describeFragmentStore('the in-memory fragment store', async () => {
  const store = createInMemoryFragmentStore();
  return { store, cleanup: () => store.close() };
});
