import type { AnswerEvent, AnswerRequest, SearchRequest, SearchResponse } from '@quarry/contracts';
import type { RunningService } from '@quarry/service-kit';
import { ServiceStopping } from './answering/failure.js';
import { streamAnswer } from './answering/stream-answer.js';
import type { QueryContext } from './context.js';
import { chooseModelOrThrow } from './query-problems.js';
import { createQueryParts } from './query-parts.js';
import { find } from './retrieval/find.js';

/** The query service for a gateway in the same process: what it says over HTTP, without HTTP. */
export interface QueryHere extends RunningService {
  /** @throws Problem, and the signal's reason */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResponse>;
  /** The last event is `completed` or `failed`. @throws Problem, and on the way the signal's reason */
  answer(request: AnswerRequest, signal: AbortSignal): Promise<AsyncIterable<AnswerEvent>>;
  /** @throws with the reason when it could answer nothing */
  ping(): Promise<void>;
}

/** @param context what it works with; stays open when the service closes */
export function queryHere(context: Omit<QueryContext, 'internalToken' | 'metricsToken'>): QueryHere {
  const { log } = context;
  const parts = createQueryParts(context);
  const stopping = new AbortController();
  return {
    search: async (request, signal) => find(parts, request, { log, signal }),
    answer: async (request, leaving) => {
      const model = chooseModelOrThrow(context.models, request.generation.modelName);
      return Promise.resolve(streamAnswer({ parts, log, leaving, stopping: stopping.signal }, request, model));
    },
    ping: () => context.fragmentStore.ping(),
    close: async () => {
      stopping.abort(new ServiceStopping());
      return Promise.resolve();
    },
  };
}
