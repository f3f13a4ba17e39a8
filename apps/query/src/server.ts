import {
  createMetricsTokenCheck,
  createStatusReader,
  parseJsonBody,
  startHttpServer,
  createInternalTokenCheck,
  createServiceApp,
  type ListenOptions,
  type RunningService,
} from '@quarry/service-kit';
import { MODEL_PATHS, SERVICE_REPORT_PATHS, VERSION } from '@quarry/contracts';
import { Router, type Express, type RequestHandler } from 'express';
import { ServiceStopping } from './answering/failed-event.js';
import type { QueryContext } from './context.js';
import { listQueryDependencies } from './dependencies.js';
import { createQueryParts } from './query-parts.js';
import { createAnswerHandler } from './routes/answer-handler.js';
import { createEmbedHandler } from './routes/embed-handler.js';
import { createFragmentListHandler } from './routes/fragment-list-handler.js';
import { createModelListHandler, createModelTestHandler } from './routes/model-handlers.js';
import { createPromptHandler } from './routes/prompt-handler.js';
import { createSearchHandler } from './routes/search-handler.js';

export interface RunningQuery extends RunningService {
  /** Base URL, such as `http://127.0.0.1:3001`. */
  readonly url: string;
}

/** Maximum size of a request body, which may contain a question with the whole history of its conversation. */
const MAX_BODY_BYTES = 8 * 1_048_576;
/** Share of the shutdown time during which running answers may finish. After this share, they are aborted. */
const FINISHING_SHARE = 0.8;

/** Creates the HTTP application. @param stopping aborts with `ServiceStopping` when running answers must end */
export function createQueryApp(context: QueryContext, stopping: AbortSignal): Express {
  const parts = createQueryParts(context);
  const routes = Router();
  routes.use('/internal', createInternalTokenCheck(context.internalToken), parseJsonBody(MAX_BODY_BYTES));
  routes.get(SERVICE_REPORT_PATHS.status, createStatusHandler(context));
  routes.post('/internal/search', createSearchHandler(parts));
  routes.post('/internal/fragments', createFragmentListHandler(parts));
  routes.post('/internal/embed', createEmbedHandler(parts));
  routes.post('/internal/prompt', createPromptHandler(parts));
  routes.post(MODEL_PATHS.list, createModelListHandler(parts));
  routes.post(MODEL_PATHS.test, createModelTestHandler(parts));
  routes.post('/internal/answer', createAnswerHandler(parts, stopping));
  return createServiceApp({
    log: context.log,
    metrics: context.metrics,
    dependencies: listQueryDependencies(context),
    monitoring: createMetricsTokenCheck(context.metricsToken),
    routes: [routes],
  });
}

/** Handles `GET /internal/status`: no body → `ServiceReport`. */
function createStatusHandler(context: QueryContext): RequestHandler {
  const { listComponents } = context;
  const dependencies = listQueryDependencies(context);
  const readStatus = createStatusReader({ name: 'query', version: VERSION, dependencies, listComponents });
  return async (_request, response) => {
    response.json(await readStatus());
  };
}

/**
 * Starts the query service.
 *
 * @param context owned by the caller: it stays open when the service closes
 * @param address host and port on which the service listens; port 0 selects a free port
 */
export async function startQuery(context: QueryContext, address: ListenOptions): Promise<RunningQuery> {
  const stopping = new AbortController();
  const server = await startHttpServer(createQueryApp(context, stopping.signal), address);
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
