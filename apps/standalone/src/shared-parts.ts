import { join } from 'node:path';
import { openFileBlobStore } from '@quarry/blob-store-file';
import type { BlobStore } from '@quarry/blob-store';
import type { FragmentStore } from '@quarry/fragment-store';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { migrateDatabase, openDatabase, type OpenDatabase } from '@quarry/gateway';
import { openQueues } from '@quarry/queue-bullmq';
import type { Queues } from '@quarry/queue';
import type { Log } from '@quarry/service-kit';
import type { StandaloneConfig } from './config.js';
import type { OnClose } from './close-stack.js';
import type { Progress } from './progress.js';

/** The resources that all five services share. */
export interface SharedParts {
  readonly database: OpenDatabase;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly fragmentStore: FragmentStore;
}

export interface Opening {
  readonly config: StandaloneConfig;
  readonly log: Log;
  readonly progress: Progress;
  /**
   * Registers a function that closes an opened resource. It runs at shutdown, or if a later step of the start fails.
   */
  readonly onClose: OnClose;
}

const DATABASE_CONNECTIONS = 10;
/**
 * Time in milliseconds after which jobs that a killed process was running start again. It is short, because only one
 * process at a time runs jobs on a data folder.
 */
const TAKEOVER_MS = 10_000;

/** Opens the database at `databaseUrl` and the queues in it, and the blob and fragment stores in the data folder. */
export async function openSharedParts(opening: Opening, databaseUrl: string): Promise<SharedParts> {
  const { config, log, progress, onClose } = opening;
  return progress.step('Opening the database, the queues and the stores', async () => {
    await migrateDatabase(databaseUrl, { log });
    const database = openDatabase({
      url: databaseUrl,
      connections: DATABASE_CONNECTIONS,
      direct: config.databaseUrl === undefined,
      onConnectionLost: (error) => {
        log.warn({ err: error }, 'a connection to the database was lost');
      },
    });
    onClose(() => database.close());
    const blobs = await openFileBlobStore(join(config.dataDirectory, 'blobs'), { isShared: false });
    const directory = join(config.dataDirectory, 'fragments');
    const fragmentStore = await openLanceDbFragmentStore({
      directory,
      cacheBytes: config.cacheBytes,
      upgrade: true,
      log,
    });
    onClose(() => fragmentStore.close());
    const queues = await openQueues({ url: databaseUrl, log, takeoverMs: TAKEOVER_MS });
    onClose(() => queues.close(0));
    return { database, queues, blobs, fragmentStore };
  });
}
