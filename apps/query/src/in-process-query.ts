import type {
  AnswerEvent,
  AnswerRequest,
  EmbedRequest,
  EmbedResponse,
  FragmentListRequest,
  FragmentListResponse,
  ModelListRequest,
  ModelListResponse,
  ModelTestRequest,
  ModelTestResponse,
  PromptPreviewResponse,
  SearchRequest,
  SearchResponse,
} from '@quarry/contracts';
import { addRequestId, type Log, type RunningService } from '@quarry/service-kit';
import { ServiceStopping } from './answering/failed-event.js';
import { previewPrompt } from './answering/preview-prompt.js';
import { streamAnswer } from './answering/stream-answer.js';
import type { QueryContext } from './context.js';
import { chooseModelOrThrow } from './query-problems.js';
import { createQueryParts } from './query-parts.js';
import { embedClientTexts } from './embedding/embed-client-texts.js';
import { findFragments } from './retrieval/find-fragments.js';
import { listFragments } from './retrieval/list-stored-fragments.js';

/** Runs the query service inside the gateway's process, with the same results as over HTTP. */
export interface InProcessQuery extends RunningService {
  /**
   * Searches the fragment store.
   *
   * @throws Problem if the HTTP route would send an error response; the signal's reason when it aborts
   */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResponse>;
  /**
   * Answers a question with a stream of events, which ends with `completed` or `failed`.
   *
   * @throws Problem if the HTTP route would send an error response
   * @throws the signal's reason, from the stream, when the signal aborts
   */
  answer(request: AnswerRequest, signal: AbortSignal): Promise<AsyncIterable<AnswerEvent>>;
  /**
   * Returns the prompt for a question.
   *
   * @throws Problem if the HTTP route would send an error response; the signal's reason when it aborts
   */
  previewPrompt(request: AnswerRequest, signal: AbortSignal): Promise<PromptPreviewResponse>;
  /**
   * Lists stored fragments of a datasource.
   *
   * @throws Problem if the HTTP route would send an error response; the signal's reason when it aborts
   */
  listFragments(request: FragmentListRequest, signal: AbortSignal): Promise<FragmentListResponse>;
  /**
   * Embeds texts.
   *
   * @throws Problem if the HTTP route would send an error response; the signal's reason when it aborts
   */
  embed(request: EmbedRequest, signal: AbortSignal): Promise<EmbedResponse>;
  /** Lists the configured providers, without their keys. */
  listModels(request: ModelListRequest): Promise<ModelListResponse>;
  /** Tests a model connection with one call of a model. @throws the signal's reason when it aborts */
  testModel(request: ModelTestRequest, signal: AbortSignal): Promise<ModelTestResponse>;
  /** Checks the connection to the fragment store. @throws the error of the fragment store if it is unavailable */
  ping(): Promise<void>;
}

/**
 * Creates the query service for the gateway's process.
 *
 * @param context owned by the caller: it stays open when the service closes
 */
export function createInProcessQuery(context: Omit<QueryContext, 'internalToken' | 'metricsToken'>): InProcessQuery {
  const getLog = (): Log => addRequestId(context.log);
  const parts = createQueryParts(context);
  const stopping = new AbortController();
  return {
    search: async (request, signal) => findFragments(parts, request, { log: getLog(), signal }),
    answer: async (request, leaving) => {
      const model = await chooseModelOrThrow(context.models, request);
      return streamAnswer({ parts, log: getLog(), leaving, stopping: stopping.signal }, request, model);
    },
    previewPrompt: (request, signal) => previewPrompt(parts, request, { log: getLog(), signal }),
    listFragments: (request, signal) => listFragments(parts, request, signal),
    embed: (request, signal) => embedClientTexts(parts, request, { log: getLog(), signal }),
    listModels: async ({ connections }) => Promise.resolve(context.models.list(connections)),
    testModel: (request, signal) => context.models.test(request.connection, signal),
    ping: () => context.fragmentStore.ping(),
    close: async () => {
      stopping.abort(new ServiceStopping());
      return Promise.resolve();
    },
  };
}
