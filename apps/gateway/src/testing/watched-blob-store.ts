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
  /** How many writes have failed so. */
  failures: number;
}

export function watchedBlobStore(): WatchedBlobStore {
  const store = inMemoryBlobStore();
  const keys = new Set<string>();
  const watched: WatchedBlobStore = {
    ...store,
    keys,
    failure: undefined,
    failures: 0,
    readText: async (key) => text(await store.read(key)),
    write: async (key, content) => {
      if (watched.failure !== undefined) await failReading(content, watched);
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

/** Fails as a full disk does: what was being read is given up in the middle. */
async function failReading(content: AsyncIterable<unknown>, watched: WatchedBlobStore): Promise<never> {
  const { failure } = watched;
  const reader = content[Symbol.asyncIterator]();
  await reader.next();
  await reader.return?.();
  watched.failures += 1;
  throw failure ?? new Error('the store was not told to fail');
}
