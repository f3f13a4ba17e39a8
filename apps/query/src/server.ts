import {
  admitMetricsToken,
  jsonBody,
  listen,
  requireInternalToken,
  serviceApp,
  type ListenOptions,
  type RunningService,
} from '@quarry/service-kit';
import { Router, type Express } from 'express';
import { ServiceStopping } from './answering/failure.js';
import type { QueryContext } from './context.js';
import { queryDependencies } from './dependencies.js';
import { createQueryParts } from './query-parts.js';
import { answer } from './routes/answer.js';
import { search } from './routes/search.js';

export interface RunningQuery extends RunningService {
  /** Such as `http://127.0.0.1:3001`. */
  readonly url: string;
}

/** A question with its whole history. */
const MAX_BODY_BYTES = 8 * 1_048_576;
/** What answers get of the time to close, before they are told that the service stops. */
const FINISHING_SHARE = 0.8;

/** @param stopping aborts with `ServiceStopping` when answers have to end */
export function createQueryApp(context: QueryContext, stopping: AbortSignal): Express {
  const parts = createQueryParts(context);
  const routes = Router();
  routes.use('/internal', requireInternalToken(context.internalToken), jsonBody(MAX_BODY_BYTES));
  routes.post('/internal/search', search(parts));
  routes.post('/internal/answer', answer(parts, stopping));
  return serviceApp({
    log: context.log,
    metrics: context.metrics,
    dependencies: queryDependencies(context),
    monitoring: admitMetricsToken(context.metricsToken),
    routes: [routes],
  });
}

/**
 * Starts the query service.
 *
 * @param context what it works with; stays open when the service closes
 * @param address port 0 takes a free one
 */
export async function startQuery(context: QueryContext, address: ListenOptions): Promise<RunningQuery> {
  const stopping = new AbortController();
  const server = await listen(createQueryApp(context, stopping.signal), address);
  context.log.info({ url: server.url }, 'the query service is listening');
  return {
    url: server.url,
    close: async (deadlineMs) => {
      const stop = setTimeout(() => {
        stopping.abort(new ServiceStopping());
      }, deadlineMs * FINISHING_SHARE);
      await server.close(deadlineMs);
      clearTimeout(stop);
    },
  };
}
