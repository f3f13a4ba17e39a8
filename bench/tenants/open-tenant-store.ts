import type { FragmentStore } from '@quarry/fragment-store';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { openQdrantFragmentStore } from '@quarry/fragment-store-qdrant';
import { findQdrant, startQdrantServer } from '@quarry/fragment-store-qdrant/testing';

export const STORES = ['lancedb', 'qdrant'] as const;
type StoreName = (typeof STORES)[number];

export interface TenantStore {
  /** Id of the server process. Undefined for a store that runs in this process. */
  readonly serverPid: number | undefined;
  /** Opens the store for writing. Upgrades the data of earlier versions of Quarry. */
  open(): Promise<FragmentStore>;
  stop(): Promise<void>;
}

export function isTenantStoreName(name: string): name is StoreName {
  return STORES.some((store) => store === name);
}

export async function openTenantStore(name: StoreName, directory: string): Promise<TenantStore> {
  if (name === 'lancedb') {
    return {
      serverPid: undefined,
      open: () => openLanceDbFragmentStore({ directory, upgrade: true }),
      stop: () => Promise.resolve(),
    };
  }
  const program = await findQdrant(process.env['PATH']);
  if (program === undefined) throw new Error('expected the program qdrant in a folder of the PATH, found none');
  const server = await startQdrantServer(program);
  return {
    serverPid: server.pid,
    open: () => openQdrantFragmentStore({ url: server.url, upgrade: true }),
    stop: () => server.stop(),
  };
}
