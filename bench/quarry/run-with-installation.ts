import { join } from 'node:path';
import type { FragmentStore } from '@quarry/fragment-store';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { openQdrantFragmentStore } from '@quarry/fragment-store-qdrant';
import { createLog } from '@quarry/service-kit';
import { startServers } from '@quarry/system-tests';
import { startQuarry, runWithTemporaryFolder, type RunningQuarry } from './start-quarry.js';
import { startServices } from './start-services.js';

export const STORES = ['lancedb', 'qdrant'] as const;
/**
 * The fragment store of an installation. `lancedb`: with a standalone Quarry. `qdrant`: with one process per service,
 * on PostgreSQL, Redis and Qdrant.
 */
export type StoreName = (typeof STORES)[number];

/** An installation: data on which Quarry can be started several times, one after the other. */
export interface Installation {
  /** Starts Quarry. A later start finds the data of the earlier ones. */
  start(options: StartSettings): Promise<RunningQuarry>;
  /** Opens the fragment store in this process. */
  openStore(): Promise<FragmentStore>;
  /** Ids of the processes of the store's server; empty for LanceDB, which runs in Quarry's process. */
  readonly storePids: readonly number[];
}

export interface StartSettings {
  readonly variables?: Readonly<Record<string, string>>;
  /** Node options of a standalone Quarry, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
}

/** Parses the value of the option `--store`. @throws Error with the valid names if `text` is none of them */
export function parseStoreName(text: string): StoreName {
  const name = STORES.find((store) => store === text);
  if (name === undefined) throw new Error(`expected --store ${STORES.join(' or ')}, found ${text}`);
  return name;
}

/** Runs a function with a new, empty installation, and removes its data afterwards. */
export async function runWithInstallation<T>(
  store: StoreName,
  use: (installation: Installation) => Promise<T>,
): Promise<T> {
  return store === 'lancedb'
    ? runWithTemporaryFolder((folder) => use(createStandaloneInstallation(folder)))
    : runWithServers(use);
}

function createStandaloneInstallation(folder: string): Installation {
  return {
    start: (settings) => startQuarry({ folder, ...settings }),
    openStore: () =>
      openLanceDbFragmentStore({ directory: join(folder, 'fragments'), log: createLog('bench', 'silent') }),
    storePids: [],
  };
}

async function runWithServers<T>(use: (installation: Installation) => Promise<T>): Promise<T> {
  const servers = await startServers();
  try {
    return await use({
      start: ({ variables }) => startServices({ ...servers.variables, ...variables }),
      openStore: () => openQdrantFragmentStore({ url: servers.qdrant.url }),
      storePids: [servers.qdrant.pid],
    });
  } finally {
    await servers.stop();
  }
}
