import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import { openBlobStore } from '@quarry/blob-store-factory';
import type { RunGateway } from '@quarry/contracts';
import { openQueues } from '@quarry/queue-bullmq';
import type { Queues } from '@quarry/queue';
import { createGatewayClient } from '@quarry/run-reporting';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createJobMeasures, traceCalls, type Log, type Metrics } from '@quarry/service-kit';
import type { CrawlerConfig, CrawlSettings } from './config.js';
import { withFetchMetrics } from './with-fetch-metrics.js';
import { systemClock, type Clock } from './politeness/clock.js';

/** Holds the dependencies of the crawler. */
export interface CrawlerContext {
  readonly settings: CrawlSettings;
  readonly log: Log;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly safeFetch: SafeFetch;
  readonly clock: Clock;
  readonly gateway: RunGateway;
}

/** Opens the dependencies of the crawler. @throws Error when the queue server or the blob store is unavailable */
export async function openContext(config: CrawlerConfig, log: Log, metrics: Metrics): Promise<CrawlerContext> {
  const settings = config.crawl;
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
    safeFetch: withFetchMetrics(createSafeFetch({ userAgent, allowLoopback }), metrics),
    clock: systemClock,
    gateway: createGatewayClient(config.gateway).runs,
  };
}
