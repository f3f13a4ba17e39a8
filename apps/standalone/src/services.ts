import { readCatalogSettings, startCatalogSync } from '@quarry/catalog-sync';
import { readCrawlSettings, startCrawler, systemClock } from '@quarry/crawler';
import {
  createSignal,
  openRunGateway,
  openWebhookFetch,
  postgresCounts,
  readSettings,
  startGateway,
  tokenClaims,
} from '@quarry/gateway';
import { readWorkerSettings, startIngestionWorker } from '@quarry/ingestion-worker';
import { systemWait } from '@quarry/item-listing';
import { openCapabilities, createInProcessQuery, readQuerySettings } from '@quarry/query';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher, parseEncryptionKey } from '@quarry/encrypted-secrets';
import {
  createMetrics,
  readMetricsToken,
  readRequestTimeouts,
  type Log,
  type RunningService,
} from '@quarry/service-kit';
import type { StandaloneConfig } from './config.js';
import { rememberToClose } from './on-close.js';
import type { Parts } from './parts.js';
import { internalToken, loadEncryptionKey } from './secrets.js';

export interface RunningServices extends RunningService {
  /** The gateway's, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** Starts the five services on what they share. They close in the opposite order: the gateway first. */
export async function startServices(config: StandaloneConfig, parts: Parts, log: Log): Promise<RunningServices> {
  const { environment } = config;
  const { queues, blobs, fragmentStore, database } = parts;
  const metrics = createMetrics('quarry', { process: true });
  let deadlineMs = 0;
  const { onClose, closeAll } = rememberToClose();
  const closeLater = (service: RunningService): void => {
    onClose(() => service.close(deadlineMs));
  };

  const outboxWritten = createSignal();
  const runGateway = openRunGateway({ db: database.db, clock: () => new Date(), outboxWritten });

  const worker = await startIngestionWorker({
    log,
    queues,
    blobs,
    fragmentStore,
    settings: readWorkerSettings(environment),
    gateway: runGateway,
    claimTokens: tokenClaims(database),
    now: () => new Date(),
  });
  closeLater(worker);

  const crawl = readCrawlSettings(environment);
  const crawlFetch = createSafeFetch(crawl);
  onClose(() => crawlFetch.close());
  closeLater(
    startCrawler({
      settings: crawl,
      log,
      queues,
      blobs,
      safeFetch: crawlFetch,
      clock: systemClock,
      gateway: runGateway,
    }),
  );

  const catalog = readCatalogSettings(environment);
  const catalogFetch = createSafeFetch(catalog);
  onClose(() => catalogFetch.close());
  const secretCipher = createSecretCipher([parseEncryptionKey(loadEncryptionKey(config.dataDirectory))]);
  const now = (): Date => new Date();
  closeLater(
    startCatalogSync({
      settings: catalog,
      log,
      queues,
      blobs,
      gateway: runGateway,
      safeFetch: catalogFetch,
      secretCipher,
      now,
      wait: systemWait,
    }),
  );

  const capabilities = await openCapabilities(readQuerySettings(environment), log);
  const query = createInProcessQuery({ ...capabilities, fragmentStore, log, metrics });
  closeLater(query);

  const settings = readSettings(environment);
  const webhookFetch = openWebhookFetch(settings);
  onClose(() => webhookFetch.close());
  const gateway = await startGateway(
    {
      database,
      queues,
      blobs,
      requestCounts: postgresCounts(database),
      queryService: { ...query, token: internalToken() },
      secretCipher,
      log,
      metrics,
      metricsToken: readMetricsToken(environment),
      webhookFetch,
      settings,
      clock: () => new Date(),
      outboxWritten,
    },
    { host: config.host, port: config.port, timeouts: readRequestTimeouts(environment) },
  );
  closeLater(gateway);

  return {
    url: gateway.url,
    close: async (deadline) => {
      deadlineMs = deadline;
      await closeAll();
    },
  };
}
