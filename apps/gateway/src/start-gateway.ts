import { listen, traceCalls, type ListenOptions, type RunningService } from '@quarry/service-kit';
import { createOpenAnswers } from './answering/open-answers.js';
import { startConsumers, startDeliveries } from './consumers.js';
import type { GatewayContext } from './context.js';
import type { Gateway } from './gateway.js';
import { startRelay } from './outbox/relay.js';
import { problem } from './problems.js';
import { createLocalQueryService } from './query-service/local-query-service.js';
import { connectQueryService, type QueryService } from './query-service/connect-query-service.js';
import { createRateLimiter } from './rate-limit/rate-limiter.js';
import { startScheduler } from './due-syncs/scheduler.js';
import { gatewayApp } from './server.js';
import { nameBlobFailures } from './uploads/name-blob-failures.js';
import { startWatchdog } from './watchdog/watchdog.js';

export interface RunningGateway extends RunningService {
  /** Such as `http://127.0.0.1:3000`; the API is below `/api`. */
  readonly url: string;
}

/** What answers get of the time to close, before they are told that the service stops. */
const FINISHING_SHARE = 0.6;

/**
 * Starts a gateway: HTTP, the outbox's relay, the consumer of statuses, the watchdog and the scheduler.
 *
 * @param context what it works with; stays open when the gateway closes
 * @param address port 0 takes a free one
 */
export async function startGateway(context: GatewayContext, address: ListenOptions): Promise<RunningGateway> {
  const gateway = buildGateway(context);
  const server = await listen(gatewayApp(context, gateway), address);
  const relay = startRelay(gateway);
  const consumer = startConsumers(gateway);
  const deliveries = startDeliveries(gateway);
  const watchdog = startWatchdog(gateway);
  const scheduler = startScheduler(gateway);
  context.log.info({ url: server.url }, 'the gateway listens');
  return {
    url: server.url,
    close: async (deadlineMs) => {
      const deadline = Date.now() + deadlineMs;
      const stop = setTimeout(() => {
        gateway.answers.stop(problem('service_stopping', 'The service is stopping. Ask again.'));
      }, deadlineMs * FINISHING_SHARE);
      await server.close(deadlineMs);
      clearTimeout(stop);
      await gateway.answers.settled();
      const left = Math.max(0, deadline - Date.now());
      await Promise.all([consumer.close(left), deliveries.close(left), watchdog.close(), scheduler.close()]);
      await relay.close();
      await gateway.rateLimiter?.close();
    },
  };
}

/** The gateway's own parts, on what its context gives. */
export function buildGateway(context: GatewayContext): Gateway {
  const { database, queues, blobs, log, metrics, clock, settings, requestCounts, outboxWritten } = context;
  const { requestsPerMinute: limit } = settings;
  return {
    db: database.db,
    queues,
    blobs: nameBlobFailures(blobs),
    queryService: traceCalls('query-service', queryServiceOf(context)),
    secretCipher: context.secretCipher,
    webhookFetch: context.webhookFetch,
    rateLimiter: limit === 0 ? undefined : createRateLimiter({ limit, counts: requestCounts, clock, log }),
    log,
    metrics,
    clock,
    ...settings,
    outboxWritten,
    answers: createOpenAnswers(),
  };
}

function queryServiceOf({ queryService }: GatewayContext): QueryService {
  return 'search' in queryService ? createLocalQueryService(queryService) : connectQueryService(queryService);
}
