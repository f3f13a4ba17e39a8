import { readCatalogSettings, startCatalogSync } from '@quarry/catalog-sync';
import { readCrawlSettings, startCrawler, systemClock } from '@quarry/crawler';
import {
  createChangePublisher,
  createWakeSignal,
  listGatewayComponents,
  openRunGateway,
  openListingHttpClient,
  openWebhookHttpClient,
  openPostgresCounts,
  readSettings,
  startGateway,
  createTokenClaimer,
  type GatewayContext,
  type RunningGateway,
} from '@quarry/gateway';
import { readWorkerSettings, startIngestionWorker } from '@quarry/ingestion-worker';
import { openCapabilities, createInProcessQuery, readQuerySettings } from '@quarry/query';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher, parseEncryptionKey, type SecretCipher } from '@quarry/encrypted-secrets';
import {
  createMetrics,
  readMetricsToken,
  readRequestTimeouts,
  type Log,
  type RunningService,
} from '@quarry/service-kit';
import type { StandaloneConfig } from './config.js';
import { closeConcurrently, createCloseStack, type OnClose } from './close-stack.js';
import { describeWorkerServices } from './describe-services.js';
import type { SharedParts } from './shared-parts.js';
import { createInternalToken, loadEncryptionKey } from './secrets.js';

export interface RunningServices extends RunningService {
  /** The URL of the gateway, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/**
 * Starts the five services on their shared resources. `close` stops the gateway and the workers at the same time.
 * Afterwards, it stops the query service, which the gateway calls, and closes the HTTP clients.
 */
export async function startServices(config: StandaloneConfig, parts: SharedParts, log: Log): Promise<RunningServices> {
  const { onClose, closeAll } = createCloseStack();
  const outboxWritten = createWakeSignal();
  const changes = createChangePublisher({ db: parts.database.db, log });
  const start: ServiceStart = {
    config,
    parts,
    log,
    runGateway: openRunGateway({ db: parts.database.db, clock: getNow, outboxWritten, changes }),
    secretCipher: createSecretCipher([parseEncryptionKey(loadEncryptionKey(config.dataDirectory))]),
    onClose,
  };
  const workers = [
    await startIngestionWorkerService(start),
    startCrawlerService(start),
    startCatalogSyncService(start),
  ];
  const gateway = await startQueryAndGateway(start, { outboxWritten, changes });
  return {
    url: gateway.url,
    close: async (deadlineMs) => {
      onClose(() => closeConcurrently([gateway, ...workers], deadlineMs));
      await closeAll();
    },
  };
}

/** Holds the arguments that the functions for starting one service share. */
interface ServiceStart {
  readonly config: StandaloneConfig;
  readonly parts: SharedParts;
  readonly log: Log;
  readonly runGateway: ReturnType<typeof openRunGateway>;
  readonly secretCipher: SecretCipher;
  readonly onClose: OnClose;
}

const getNow = (): Date => new Date();

function startIngestionWorkerService({ config, parts, log, runGateway }: ServiceStart): Promise<RunningService> {
  const { queues, blobs, fragmentStore, database } = parts;
  return startIngestionWorker({
    ...{ log, queues, blobs, fragmentStore, now: getNow },
    settings: readWorkerSettings(config.environment),
    gateway: runGateway,
    claimTokens: createTokenClaimer(database),
  });
}

function startCrawlerService({ config, parts, log, runGateway, onClose }: ServiceStart): RunningService {
  const { queues, blobs } = parts;
  const settings = readCrawlSettings(config.environment);
  const safeFetch = createSafeFetch(settings);
  onClose(() => safeFetch.close());
  return startCrawler({ settings, log, queues, blobs, safeFetch, clock: systemClock, gateway: runGateway });
}

function startCatalogSyncService({
  config,
  parts,
  log,
  runGateway,
  secretCipher,
  onClose,
}: ServiceStart): RunningService {
  const { queues, blobs } = parts;
  const settings = readCatalogSettings(config.environment);
  const safeFetch = createSafeFetch(settings);
  onClose(() => safeFetch.close());
  return startCatalogSync({
    ...{ settings, log, queues, blobs, safeFetch, secretCipher, now: getNow },
    gateway: runGateway,
  });
}

async function startQueryAndGateway(
  start: ServiceStart,
  announcements: Pick<GatewayContext, 'outboxWritten' | 'changes'>,
): Promise<RunningGateway> {
  const { config, parts, log, secretCipher, onClose } = start;
  const { environment, host, port } = config;
  const { database, queues, blobs, fragmentStore } = parts;
  const metrics = createMetrics('quarry', { process: true });
  const capabilities = await openCapabilities(readQuerySettings(environment), log);
  const query = createInProcessQuery({ ...capabilities, fragmentStore, log, metrics });
  onClose(() => query.close(0));
  const settings = readSettings(environment);
  const webhookFetch = openWebhookHttpClient(settings);
  onClose(() => webhookFetch.close());
  const listingFetch = openListingHttpClient(settings);
  onClose(() => listingFetch.close());
  const gateway = await startGateway(
    {
      ...{
        database,
        queues,
        blobs,
        secretCipher,
        log,
        metrics,
        webhookFetch,
        listingFetch,
        settings,
        ...announcements,
      },
      requestCounts: openPostgresCounts(database),
      queryService: { ...query, token: createInternalToken() },
      metricsToken: readMetricsToken(environment),
      listComponents: () => listGatewayComponents(settings, { queues: 'postgresql:', blobs: 'file:' }),
      localServices: describeWorkerServices(environment, parts, capabilities.listComponents),
      clock: getNow,
    },
    { host, port, timeouts: readRequestTimeouts(environment) },
  );
  return gateway;
}
