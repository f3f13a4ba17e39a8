import { text } from 'node:stream/consumers';
import type { BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';

/** A blob store in memory that exposes its keys and can simulate failed writes. */
export interface WatchedBlobStore extends BlobStore {
  /** The keys of the stored blobs. */
  readonly keys: ReadonlySet<string>;
  readText(key: string): Promise<string>;
  /** If set, every write fails with this error. */
  failure: Error | undefined;
  /** Number of writes that have failed with `failure`. */
  failures: number;
}

export function createWatchedBlobStore(): WatchedBlobStore {
  const store = createInMemoryBlobStore();
  const keys = new Set<string>();
  const watched: WatchedBlobStore = {
    ...store,
    keys,
    failure: undefined,
    failures: 0,
    readText: async (key) => text(await store.read(key)),
    write: async (key, content) => {
      if (watched.failure !== undefined) await readPartThenThrow(content, watched);
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

/** Reads a part of the content, then throws the simulated error. A write to a full disk fails in the same way. */
async function readPartThenThrow(content: AsyncIterable<unknown>, watched: WatchedBlobStore): Promise<never> {
  const { failure } = watched;
  const reader = content[Symbol.asyncIterator]();
  await reader.next();
  await reader.return?.();
  watched.failures += 1;
  throw failure ?? new Error('expected an error that the blob store simulates, found none');
}
