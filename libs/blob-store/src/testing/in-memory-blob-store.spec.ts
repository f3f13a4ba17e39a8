import { describeBlobStore } from './describe-blob-store.js';
import { createInMemoryBlobStore } from './in-memory-blob-store.js';

describeBlobStore(
  'the in-memory store',
  async () => ({ store: createInMemoryBlobStore(), close: () => Promise.resolve() }),
  {
    wholeInMemory: true,
  },
);
