import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import { Problem } from '@quarry/service-kit';
import { problem } from '../problems.js';

/** Returns the store with failures that name it: a connection that is refused could be anyone's. */
export function nameBlobFailures(blobs: BlobStore): BlobStore {
  return {
    write: async (key, content) => named(blobs.write(key, content)),
    read: async (key, part) => named(blobs.read(key, part)),
    remove: async (key) => named(blobs.remove(key)),
    removeAll: async (prefix) => named(blobs.removeAll(prefix)),
    list: (prefix) => blobs.list(prefix),
    ping: async () => blobs.ping(),
  };
}

async function named<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof Problem) throw error;
    throw problem('dependency_unavailable', 'The blob store does not answer. Try again.', { cause: error });
  }
}
