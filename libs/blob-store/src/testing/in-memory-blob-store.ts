import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { splitBlobKey, splitBlobPrefix } from '../blob-key.js';
import { BlobNotFound, type BlobStore } from '../blob-store.js';

/** Creates a blob store in memory, for tests. */
export function createInMemoryBlobStore(): BlobStore {
  const blobs = new Map<string, Buffer>();
  const validateKey = (key: string): string => splitBlobKey(key).join('/');
  return {
    write: async (key, content) => {
      const name = validateKey(key);
      const bytes = await buffer(content);
      blobs.set(name, bytes);
      return { size: bytes.length };
    },
    read: async (key, part) => {
      const blob = blobs.get(validateKey(key));
      if (blob === undefined) throw new BlobNotFound(key);
      const bytes = part === undefined ? blob : blob.subarray(part.start, part.start + part.length);
      return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
    },
    remove: async (key) => {
      blobs.delete(validateKey(key));
    },
    removeAll: async (prefix) => {
      const start = `${splitBlobPrefix(prefix).join('/')}/`;
      for (const key of blobs.keys()) if (key.startsWith(start)) blobs.delete(key);
    },
    list: async function* (prefix) {
      const start = `${splitBlobPrefix(prefix).join('/')}/`;
      for (const key of [...blobs.keys()]) if (key.startsWith(start)) yield key;
    },
    ping: () => Promise.resolve(),
  };
}
