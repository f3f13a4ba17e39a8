import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { segmentsOfKey, segmentsOfPrefix } from '../blob-key.js';
import { BlobNotFound, type BlobStore } from '../blob-store.js';

/** For tests: everything is kept in memory, whole. */
export function inMemoryBlobStore(): BlobStore {
  const blobs = new Map<string, Buffer>();
  const canonical = (key: string): string => segmentsOfKey(key).join('/');
  return {
    write: async (key, content) => {
      const name = canonical(key);
      const bytes = await buffer(content);
      blobs.set(name, bytes);
      return { size: bytes.length };
    },
    read: async (key, part) => {
      const whole = blobs.get(canonical(key));
      if (whole === undefined) throw new BlobNotFound(key);
      const bytes = part === undefined ? whole : whole.subarray(part.start, part.start + part.length);
      return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
    },
    remove: async (key) => {
      blobs.delete(canonical(key));
    },
    removeAll: async (prefix) => {
      const start = `${segmentsOfPrefix(prefix).join('/')}/`;
      for (const key of blobs.keys()) if (key.startsWith(start)) blobs.delete(key);
    },
    list: async function* (prefix) {
      const start = `${segmentsOfPrefix(prefix).join('/')}/`;
      for (const key of [...blobs.keys()]) if (key.startsWith(start)) yield key;
    },
    ping: () => Promise.resolve(),
  };
}
