import { text } from 'node:stream/consumers';
import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';

/** A blob store in memory that shows what it holds, and fails when it is told to. */
export interface WatchedBlobStore extends BlobStore {
  /** The keys of what is there. */
  readonly keys: ReadonlySet<string>;
  readText(key: string): Promise<string>;
  /** Thrown by what is written next, until it is undefined again. */
  failure: Error | undefined;
}

export function watchedBlobStore(): WatchedBlobStore {
  const store = inMemoryBlobStore();
  const keys = new Set<string>();
  const watched: WatchedBlobStore = {
    ...store,
    keys,
    failure: undefined,
    readText: async (key) => text(await store.read(key)),
    write: async (key, content) => {
      if (watched.failure !== undefined) throw watched.failure;
      const written = await store.write(key, content);
      keys.add(key);
      return written;
    },
    remove: async (key) => {
      await store.remove(key);
      keys.delete(key);
    },
  };
  return watched;
}
