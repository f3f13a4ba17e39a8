export { openFragmentStore, type FragmentStoreAddress, type FragmentStoreOptions } from './open-fragment-store.js';
