import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import { openBlobStore } from '@quarry/blob-store-factory';
import type { RunGateway } from '@quarry/contracts';
import { openQueues } from '@quarry/queue-bullmq';
import type { Queues } from '@quarry/queue';
import { createGatewayClient } from '@quarry/run-reporting';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import { createJobMeasures, traceCalls, type Log, type Metrics } from '@quarry/service-kit';
import type { CatalogSettings, CatalogSyncConfig } from './config.js';

/** Holds the dependencies of the catalogue synchronisation. */
export interface CatalogSyncContext {
  readonly settings: CatalogSettings;
  readonly log: Log;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  /** Client of the gateway, which stores the states of runs and the versions of indexed documents. */
  readonly gateway: RunGateway;
  readonly safeFetch: SafeFetch;
  /** Decrypts the HTTP headers of listings, which the gateway encrypted. */
  readonly secretCipher: Pick<SecretCipher, 'decrypt'>;
  readonly now: () => Date;
}

/**
 * Opens the dependencies of the catalogue synchronisation.
 *
 * @throws Error when the queue server or the blob store is unavailable
 */
export async function openContext(config: CatalogSyncConfig, log: Log, metrics: Metrics): Promise<CatalogSyncContext> {
  const settings = config.catalog;
  const { userAgent, allowLoopback } = settings;
  return {
    settings,
    log,
    queues: await openQueues({
      url: config.queueUrl,
      log,
      watch: createJobMeasures(metrics),
      traced: config.tracing !== undefined,
    }),
    blobs: traceCalls('blobs', await openBlobStore(config.blobs), { isAnswer: isBlobNotFound }),
    gateway: createGatewayClient(config.gateway).runs,
    safeFetch: createSafeFetch({ userAgent, allowLoopback }),
    secretCipher: createSecretCipher(config.encryptionKeys),
    now: () => new Date(),
  };
}
