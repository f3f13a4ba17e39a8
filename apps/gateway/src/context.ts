import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import { VERSION } from '@quarry/contracts';
import { openBlobStore } from '@quarry/blob-store-factory';
import { openQueues } from '@quarry/queue-bullmq';
import type { Queues } from '@quarry/queue';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import {
  createLog,
  createMetrics,
  registerBacklogMetrics,
  createJobMeasures,
  registerQueueMetrics,
  registerRemovalMetrics,
  traceCalls,
  type DescribedService,
  type Log,
  type Metrics,
  type ServiceComponent,
} from '@quarry/service-kit';
import type { GatewayConfig } from './config.js';
import { openDatabase, type OpenDatabase } from './database/database.js';
import { migrateDatabase } from './database/migrate.js';
import { redactQueryParameters } from './database/query-error.js';
import { type ChangePublisher, createChangePublisher } from './changes/change-publisher.js';
import { createWakeSignal, type Signal } from './outbox/outbox.js';
import { DISPATCHED_QUEUES } from './outbox/dispatched-queues.js';
import { measureWaitingJobs } from './outbox/waiting-jobs.js';
import type { LocalQueryService } from './query-service/local-query-service.js';
import type { QueryServiceAddress } from './query-service/connect-query-service.js';
import { openRequestCounts, type RequestCounts } from './rate-limit/request-counts.js';
import { measureUnconfirmedRemovals } from './removals/removals.js';
import type { GatewaySettings } from './settings.js';
import { listAllQueues } from './system/all-queues.js';
import { listGatewayComponents } from './system/gateway-components.js';

/**
 * Holds the external dependencies of the gateway. The caller that opened them closes them after it has closed the
 * gateway.
 */
export interface GatewayContext {
  /** The migrated database. See `migrateDatabase`. */
  readonly database: OpenDatabase;
  readonly queues: Queues;
  readonly blobs: BlobStore;
  readonly requestCounts: RequestCounts;
  /** The address of the query service, or the service itself if it runs in the process of the gateway. */
  readonly queryService: QueryServiceAddress | LocalQueryService;
  readonly secretCipher: Pick<SecretCipher, 'encrypt' | 'decrypt'>;
  /** The HTTP client for requests to the webhooks of customers. */
  readonly webhookFetch: Pick<SafeFetch, 'fetch' | 'close'>;
  /** The HTTP client for dry runs, with which a customer tests an item listing before adding it. */
  readonly listingFetch: Pick<SafeFetch, 'fetch' | 'close'>;
  readonly log: Log;
  readonly metrics: Metrics;
  /**
   * The token that gives access to metrics and readiness details. Undefined: only API keys with the scope `operate`
   * have access to them.
   */
  readonly metricsToken: string | undefined;
  readonly settings: GatewaySettings;
  readonly clock: () => Date;
  /**
   * Signals that a committed transaction has written to the outbox. Sent by the gateway and by workers in the same
   * process.
   */
  readonly outboxWritten: Signal;
  /** Publishes changes to event streams. The gateway and workers in the same process use it. The gateway closes it. */
  readonly changes: ChangePublisher;
  /** Lists the configured components of the gateway, such as the blob store. Omits their addresses. */
  readonly listComponents: () => readonly ServiceComponent[];
  /** The services that run in the process of the gateway. Undefined: each service is a process of its own. */
  readonly localServices?: readonly DescribedService[];
}

/**
 * Time in milliseconds that a starting gateway waits for the queues. After this time, the gateway starts without them.
 */
const QUEUE_START_TIMEOUT_MS = 5_000;

/**
 * Opens the dependencies of a gateway that runs as a process of its own. Waits until the database is available. The
 * gateway starts even if the queue or the blob store is unavailable.
 */
export async function openContext(config: GatewayConfig): Promise<GatewayContext> {
  const log = createLog('gateway', config.logLevel);
  await migrateDatabase(config.database.url, { log });
  const database = openDatabase({
    ...config.database,
    onConnectionLost: (error) => {
      log.warn({ err: redactQueryParameters(error) }, 'a connection to the database was lost');
    },
  });
  const metrics = createMetrics('gateway', { process: true });
  const queues = await openQueues({
    url: config.queueUrl,
    log,
    startTimeoutMs: QUEUE_START_TIMEOUT_MS,
    canStartWithout: true,
    watch: createJobMeasures(metrics),
    traced: config.tracing !== undefined,
  });
  // These values are the same in every replica. The gateway exports them for the queues of all services, because every
  // installation has a gateway.
  registerQueueMetrics(metrics, listAllQueues(queues));
  registerBacklogMetrics(metrics, () => measureWaitingJobs(database.db, DISPATCHED_QUEUES));
  registerRemovalMetrics(metrics, () => measureUnconfirmedRemovals(database.db));
  const blobs = await openBlobStore(config.blobs, (error) => {
    log.warn({ err: error }, 'the blob store does not respond; the gateway starts without it');
  });
  return {
    database,
    queues,
    blobs: traceCalls('blobs', blobs, { isAnswer: isBlobNotFound }),
    requestCounts: openRequestCounts(config.queueUrl, database),
    queryService: config.queryService,
    secretCipher: createSecretCipher(config.encryptionKeys),
    webhookFetch: openWebhookHttpClient(config.settings),
    listingFetch: openListingHttpClient(config.settings),
    log,
    metrics,
    metricsToken: config.metricsToken,
    settings: config.settings,
    clock: () => new Date(),
    outboxWritten: createWakeSignal(),
    changes: createChangePublisher({ db: database.db, log }),
    listComponents: () => listGatewayComponents(config.settings, { queues: config.queueUrl, blobs: config.blobs.url }),
  };
}

/** Creates the HTTP client for webhooks. */
export function openWebhookHttpClient({ allowLoopback }: Pick<GatewaySettings, 'allowLoopback'>): SafeFetch {
  return createSafeFetch({ userAgent: `QuarryWebhooks/${VERSION}`, allowLoopback: allowLoopback.webhooks });
}

/** Creates the HTTP client for dry runs of item listings. */
export function openListingHttpClient({ allowLoopback }: Pick<GatewaySettings, 'allowLoopback'>): SafeFetch {
  return createSafeFetch({ userAgent: `QuarryCatalog/${VERSION}`, allowLoopback: allowLoopback.catalog });
}
