import { describeBlobStore } from './describe-blob-store.js';
import { inMemoryBlobStore } from './in-memory-blob-store.js';

describeBlobStore('the in-memory store', async () => ({ store: inMemoryBlobStore(), close: () => Promise.resolve() }), {
  wholeInMemory: true,
});
