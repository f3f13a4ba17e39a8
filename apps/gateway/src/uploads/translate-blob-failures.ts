import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';

/**
 * Wraps a blob store. Errors of reading, writing and removing blobs become a problem 503 that mentions the blob store.
 * `BlobNotFound` stays unchanged.
 */
export function translateBlobFailures(blobs: BlobStore): BlobStore {
  return {
    write: async (key, content) => translateFailure(blobs.write(key, content)),
    read: async (key, part) => translateFailure(blobs.read(key, part)),
    remove: async (key) => translateFailure(blobs.remove(key)),
    removeAll: async (prefix) => translateFailure(blobs.removeAll(prefix)),
    list: (prefix) => blobs.list(prefix),
    ping: async () => blobs.ping(),
  };
}

async function translateFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof Problem) throw error;
    throw problem('dependency_unavailable', 'The blob store is unavailable. Retry later.', { cause: error });
  }
}
