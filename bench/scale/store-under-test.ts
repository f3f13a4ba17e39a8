import { join } from 'node:path';
import type { FragmentStore } from '@quarry/fragment-store';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { openQdrantFragmentStore } from '@quarry/fragment-store-qdrant';
import { findQdrant, startQdrantServer } from '@quarry/fragment-store-qdrant/testing';

export const STORES = ['lancedb', 'qdrant'] as const;
export type StoreName = (typeof STORES)[number];

export interface StoreUnderTest {
  readonly store: FragmentStore;
  /** Id of the process that contains the index. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** Opens a store: LanceDB in this process, or Qdrant in a server process of its own. */
export async function openStoreUnderTest(name: StoreName, folder: string): Promise<StoreUnderTest> {
  if (name === 'lancedb') {
    const store = await openLanceDbFragmentStore({
      directory: join(folder, 'lancedb'),
      // Maintenance runs without pauses, because only the store after maintenance is measured.
      maintenance: { pauseFactor: 0 },
    });
    return { store, pid: process.pid, stop: () => store.close() };
  }
  const program = await findQdrant(process.env['PATH']);
  if (program === undefined) throw new Error('expected the program qdrant in a folder of the PATH, found none');
  const server = await startQdrantServer(program);
  const store = await openQdrantFragmentStore({ url: server.url });
  return {
    store,
    pid: server.pid,
    stop: async () => {
      await store.close();
      await server.stop();
    },
  };
}
