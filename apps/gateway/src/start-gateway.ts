import { startHttpServer, traceCalls, type ListenOptions, type RunningService } from '@quarry/service-kit';
import { createOpenAnswers } from './answering/open-answers.js';
import { createOrganizationLimiter } from './concurrency/organization-limiter.js';
import { startConsumers, startDeliveryConsumer } from './consumers.js';
import type { GatewayContext } from './context.js';
import type { Gateway } from './gateway.js';
import { startEvaluator } from './evaluations/evaluator.js';
import { createKeyCache } from './keys/key-cache.js';
import { createRefusalCounter } from './keys/refusal-counter.js';
import { createLabelCache } from './datasources/label-cache.js';
import { NotificationListener } from './database/notification-listener.js';
import { LiveEvents } from './live-events/live-events.js';
import { startDispatcher } from './outbox/dispatcher.js';
import { createWakeSignal } from './outbox/outbox.js';
import { createOllamaFinder } from './model-connections/find-ollama.js';
import { createStoredConnections } from './model-connections/stored-connections.js';
import { createPageRenders } from './page-pictures/create-page-renders.js';
import { problem } from './problems.js';
import { createLocalQueryService } from './query-service/local-query-service.js';
import { connectQueryService, type QueryService } from './query-service/connect-query-service.js';
import { withModelConnections } from './query-service/with-model-connections.js';
import { createRateLimiter } from './rate-limit/rate-limiter.js';
import { SpeculativeSearches } from './searching/speculative-search.js';
import { startSyncScheduler } from './due-syncs/scheduler.js';
import { buildGatewayApp } from './server.js';
import { translateBlobFailures } from './uploads/translate-blob-failures.js';
import { createSystemState } from './system/system-state.js';
import { startWatchdog } from './watchdog/watchdog.js';
import { startWebhookDeliverer } from './webhooks/deliverer.js';

export interface RunningGateway extends RunningService {
  /** The URL of the gateway, such as `http://127.0.0.1:3000`. The API is below `/api`. */
  readonly url: string;
}

/**
 * Share of the time until the shutdown deadline, between 0 and 1. After this share, unfinished answers are aborted with
 * `service_stopping`.
 */
const SHARE_OF_GRACE_PERIOD = 0.6;

/**
 * Starts a gateway: the HTTP server, the dispatcher of jobs, the deliverer of webhooks, the evaluator, the consumers,
 * the watchdog and the scheduler.
 *
 * @param context its connections stay open when the gateway closes
 * @param address port 0 selects a free port
 */
export async function startGateway(context: GatewayContext, address: ListenOptions): Promise<RunningGateway> {
  const gateway = buildGateway(context);
  const server = await startHttpServer(buildGatewayApp(context, gateway), address);
  const dispatcher = startDispatcher(gateway);
  const consumer = startConsumers(gateway);
  const deliverer = startWebhookDeliverer(gateway);
  const deliveries = startDeliveryConsumer(gateway);
  const evaluator = startEvaluator(gateway);
  const watchdog = startWatchdog(gateway);
  const scheduler = startSyncScheduler(gateway);
  context.log.info({ url: server.url }, 'the gateway is listening');
  return {
    url: server.url,
    close: async (deadlineMs) => {
      const deadline = Date.now() + deadlineMs;
      const abortAnswers = setTimeout(() => {
        gateway.answers.abortAll(problem('service_stopping', 'The service is stopping. Send the question again.'));
      }, deadlineMs * SHARE_OF_GRACE_PERIOD);
      await gateway.liveEvents.close();
      await server.close(deadlineMs);
      // Waits also for answers whose clients have disconnected, because such answers can be resumed or replayed.
      await gateway.answers.waitUntilDone();
      gateway.pageRenders.close();
      clearTimeout(abortAnswers);
      const remainingMs = Math.max(0, deadline - Date.now());
      await Promise.all([
        consumer.close(remainingMs),
        deliverer.close(),
        evaluator.close(),
        deliveries.close(remainingMs),
        watchdog.close(),
        scheduler.close(),
      ]);
      await dispatcher.close();
      await gateway.changes.close();
      await gateway.notifications.close();
      await gateway.rateLimiter?.close();
    },
  };
}

/** Builds the gateway's dependencies and settings from its context. */
export function buildGateway(context: GatewayContext): Gateway {
  const { database, queues, blobs, log, metrics, clock, settings, requestCounts, outboxWritten, changes } = context;
  const { requestsPerMinute: limit } = settings;
  const stores = { db: database.db, queues, blobs: translateBlobFailures(blobs), clock };
  const storedConnections = createStoredConnections({ db: database.db, secretCipher: context.secretCipher, log });
  const queryService = withModelConnections(traceCalls('query-service', openQueryService(context)), storedConnections);
  const notifications = new NotificationListener({ ...database, log });
  return {
    ...stores,
    queryService,
    speculativeSearches: new SpeculativeSearches(),
    secretCipher: context.secretCipher,
    webhookFetch: context.webhookFetch,
    listingFetch: context.listingFetch,
    dryRunLimiter: createOrganizationLimiter({ perOrganization: 2, total: 16 }),
    rateLimiter: limit === 0 ? undefined : createRateLimiter({ limit, counts: requestCounts, clock, log }),
    notifications,
    keys: createKeyCache(database.db, notifications),
    labels: createLabelCache(database.db, notifications),
    refusals: createRefusalCounter(settings.refusalsPerMinute),
    log,
    metrics,
    ...settings,
    outboxWritten,
    deliveriesDue: createWakeSignal(),
    evaluationsDue: createWakeSignal(),
    answers: createOpenAnswers(),
    liveAnswers: new Map(),
    liveEvents: new LiveEvents({ db: database.db, log, clock, openConnection: async () => database.openConnection() }),
    changes,
    pageRenders: createPageRenders(stores),
    storedConnections,
    findLocalModels: createOllamaFinder(context.localServices === undefined ? undefined : settings.ollamaUrl),
    system: createSystemState({ ...context, address: context.queryService, queryService }),
  };
}

function openQueryService({ queryService }: GatewayContext): QueryService {
  return 'search' in queryService ? createLocalQueryService(queryService) : connectQueryService(queryService);
}
