import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import { openBlobStore } from '@quarry/blob-store-factory';
import type { ClaimTokens, RunGateway } from '@quarry/contracts';
import type { FragmentStore } from '@quarry/fragment-store';
import { openFragmentStore } from '@quarry/fragment-store-factory';
import { openQueues } from '@quarry/queue-bullmq';
import type { Queues } from '@quarry/queue';
import { createGatewayClient } from '@quarry/run-reporting';
import { createJobMeasures, traceCalls, type Log, type Metrics } from '@quarry/service-kit';
import type { IngestionWorkerConfig } from './config.js';
import { withFragmentMetrics } from './with-fragment-metrics.js';
import type { WorkerSettings } from './settings.js';

/**
 * Holds the dependencies of the ingestion worker. The caller owns the dependencies and closes them after the worker.
 */
export interface IngestionWorkerContext {
  readonly log: Log;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly fragmentStore: FragmentStore;
  readonly settings: WorkerSettings;
  readonly gateway: Pick<RunGateway, 'readRunStates'>;
  readonly claimTokens: ClaimTokens;
  readonly now: () => Date;
}

/** Opens the dependencies of a standalone worker process. @throws when the queue server or a store is unavailable */
export async function openContext(
  config: IngestionWorkerConfig,
  log: Log,
  metrics: Metrics,
): Promise<IngestionWorkerContext> {
  const { runs, claimTokens } = createGatewayClient(config.gateway);
  return {
    log,
    queues: await openQueues({
      url: config.queueUrl,
      log,
      watch: createJobMeasures(metrics),
      traced: config.tracing !== undefined,
    }),
    blobs: traceCalls('blobs', await openBlobStore(config.blobs), { isAnswer: isBlobNotFound }),
    fragmentStore: traceCalls(
      'fragments',
      withFragmentMetrics(await openFragmentStore(config.fragments, { log, isWriter: true }), metrics),
    ),
    settings: config.settings,
    gateway: runs,
    claimTokens,
    now: () => new Date(),
  };
}
