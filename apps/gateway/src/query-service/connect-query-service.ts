import {
  MODEL_PATHS,
  type AnswerEvent,
  type AnswerRequest,
  type EmbedRequest,
  type EmbedResponse,
  type FragmentListRequest,
  type FragmentListResponse,
  type ModelListRequest,
  type ModelListResponse,
  type ModelTestRequest,
  type ModelTestResponse,
  type PromptPreviewResponse,
  type SearchRequest,
  type SearchResponse,
} from '@quarry/contracts';
import { createDeadline, linkSignals, type LinkedSignal } from '@quarry/cancellation';
import { readErrorText, readLimitedText } from '@quarry/http-responses';
import { Pool, type Dispatcher } from 'undici';
import { pingService } from '@quarry/service-kit';
import { problem } from '../problems.js';
import { parseAnswerEvent, parseSearchResponse, readLines } from './parse-answers.js';
import { parseEmbedResponse, parseModelList, parseModelTest } from './parse-models.js';
import { parseFragmentListResponse } from './parse-fragment-list.js';
import { parsePromptPreview } from './parse-prompt-preview.js';
import { translateRefusal } from './refusal.js';
import { type AbortSignals, type Connections, sendToQueryService } from './send-to-query-service.js';

/** Holds the address of the query service and the token that the services share. */
export interface QueryServiceAddress {
  /** Base URL of the query service, such as `http://127.0.0.1:3001`. */
  readonly url: string;
  readonly token: string;
}

/**
 * Searches datastores, answers questions and returns stored fragments. Each method except `ping` throws a problem if
 * the service refuses the request, is unavailable or returns an invalid response.
 */
export interface QueryService {
  /** Returns the fragments that match a query. @throws Problem */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResponse>;

  /**
   * Answers a question. Resolves when the service has accepted the question. Rejects if the service refuses it. The
   * last event is `completed` or `failed`, even if the service stops during the answer.
   *
   * @param signal aborts the answer and the call of the model; iterating over the events then throws
   * @throws Problem
   */
  answer(request: AnswerRequest, signal: AbortSignal): Promise<AsyncIterable<AnswerEvent>>;

  /** Returns the prompt that the model would receive for a question. Does not call the model. @throws Problem */
  previewPrompt(request: AnswerRequest, signal: AbortSignal): Promise<PromptPreviewResponse>;

  /** Returns stored fragments of a datasource. @throws Problem */
  listFragments(request: FragmentListRequest, signal: AbortSignal): Promise<FragmentListResponse>;

  /** Returns the embedding vectors of texts. @throws Problem */
  embed(request: EmbedRequest, signal: AbortSignal): Promise<EmbedResponse>;

  /** Lists the providers of models, without their keys. @throws Problem */
  listModels(request: ModelListRequest, signal: AbortSignal): Promise<ModelListResponse>;

  /** Tests a connection to a model provider by calling a model once. @throws Problem */
  testModel(request: ModelTestRequest, signal: AbortSignal): Promise<ModelTestResponse>;

  /** Checks that a replica of the query service is ready. @throws the reason if no replica is ready */
  ping(): Promise<void>;
}

/** Timeout in milliseconds for the response to a search, and for the acceptance of a question. */
const RESPONSE_TIMEOUT_MS = 30_000;

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Maximum size of a response with vectors, in bytes: 2,048 texts with 4,096 dimensions, and 30 bytes per number. */
const MAX_VECTORS_BYTES = 256 * 1024 * 1024;
/**
 * Maximum length of one event of an answer, in characters. The last event contains the whole answer with its sources.
 */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

export function connectQueryService({ url, token }: QueryServiceAddress): QueryService {
  // Each request with a JSON response has its own time limit, and the query service limits the time for which a model
  // sends nothing. The default limits of undici, 300 s, would end answers of models with a longer limit.
  const pool = new Pool(new URL(url).origin, { headersTimeout: 0, bodyTimeout: 0 });
  const connections: Connections = { pool, token };
  return {
    search: async (request, signal) =>
      requestJson(connections, '/internal/search', { body: request, parseResponse: parseSearchResponse }, signal),
    previewPrompt: async (request, signal) =>
      requestJson(connections, '/internal/prompt', { body: request, parseResponse: parsePromptPreview }, signal),
    listFragments: async (request, signal) =>
      requestJson(
        connections,
        '/internal/fragments',
        { body: request, parseResponse: parseFragmentListResponse },
        signal,
      ),
    embed: async (request, signal) =>
      requestJson(
        connections,
        '/internal/embed',
        { body: request, parseResponse: parseEmbedResponse, maxBytes: MAX_VECTORS_BYTES },
        signal,
      ),
    listModels: async (request, signal) =>
      requestJson(connections, MODEL_PATHS.list, { body: request, parseResponse: parseModelList }, signal),
    testModel: async (request, signal) =>
      requestJson(connections, MODEL_PATHS.test, { body: request, parseResponse: parseModelTest }, signal),
    answer: async (request, signal) => {
      const following = linkSignals(signal);
      const timer = setTimeout(() => {
        following.abort(
          new Error(`expected a response of the query service within ${RESPONSE_TIMEOUT_MS} ms, found none`),
        );
      }, RESPONSE_TIMEOUT_MS);
      try {
        const signals = { signal, requestSignal: following.signal };
        const response = await requestQueryService(connections, '/internal/answer', request, signals);
        return streamAnswerEvents(response, signal, following);
      } finally {
        clearTimeout(timer);
      }
    },
    ping: () => pingService(url, 'ready'),
  };
}

interface JsonCall<Body> {
  readonly body: object;
  readonly parseResponse: (value: unknown) => Body;
  /** Maximum size of the response, in bytes. Absent: 64 MiB. */
  readonly maxBytes?: number;
}

/** Requests a JSON response of the query service, and parses it. */
async function requestJson<Body>(
  connections: Connections,
  path: string,
  { body, parseResponse, maxBytes = MAX_RESPONSE_BYTES }: JsonCall<Body>,
  signal: AbortSignal,
): Promise<Body> {
  const deadline = createDeadline(signal, RESPONSE_TIMEOUT_MS);
  try {
    const response = await requestQueryService(connections, path, body, { signal, requestSignal: deadline.signal });
    try {
      return parseResponse(JSON.parse(await readLimitedText(response.body, maxBytes)));
    } catch (error) {
      throw buildInvalidResponseProblem(error);
    }
  } finally {
    deadline.release();
  }
}

async function requestQueryService(
  connections: Connections,
  path: string,
  body: object,
  signals: AbortSignals,
): Promise<Dispatcher.ResponseData> {
  const response = await sendToQueryService(connections, path, body, signals);
  const { statusCode: status, headers } = response;
  if (status >= 200 && status < 300) return response;
  const retryAfter = headers['retry-after'];
  throw translateRefusal({
    status,
    // If the body is not JSON, a proxy sent the response, and its status alone determines the problem.
    body: await readErrorText(response.body)
      .then((text): unknown => JSON.parse(text))
      .catch(() => undefined),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  });
}

async function* streamAnswerEvents(
  { body }: Dispatcher.ResponseData,
  signal: AbortSignal,
  { release }: Pick<LinkedSignal, 'release'>,
): AsyncGenerator<AnswerEvent> {
  try {
    for await (const line of readLines(body, MAX_EVENT_CHARACTERS)) {
      const event = parseAnswerEvent(line);
      if (event === undefined) continue;
      yield event;
      if (event.type !== 'delta') return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw buildInvalidResponseProblem(error);
  } finally {
    release();
  }
  yield { type: 'failed', code: 'answer_failed', message: 'The answer ended before it was complete.' };
}

function buildInvalidResponseProblem(error: unknown): Error {
  return problem('dependency_unavailable', 'The query service returned an invalid response. Retry later.', {
    cause: error,
  });
}
