import {
  MODEL_PATHS,
  SERVICE_REPORT_PATHS,
  VERSION,
  type AnswerEvent,
  type AnswerRequest,
  type EmbedRequest,
  type EmbedResponse,
  type FoundFragment,
  type FragmentListRequest,
  type ListedFragment,
  type ModelListRequest,
  type ModelListResponse,
  type ModelName,
  type ModelTestRequest,
  type ModelTestResponse,
  type PromptPreviewResponse,
  type SearchRequest,
  type SearchTrace,
  type ServiceReport,
} from '@quarry/contracts';
import { startHttpServer, type HttpServer } from '@quarry/service-kit';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** An HTTP query service whose responses a test defines. */
export interface FakeQueryService {
  readonly url: string;
  readonly token: string;
  /** The received search requests, oldest first. */
  readonly searches: SearchRequest[];
  /** The received requests for answers, oldest first. */
  readonly questions: AnswerRequest[];
  /** The received requests for lists of fragments, oldest first. */
  readonly listings: FragmentListRequest[];
  /** The received requests for vectors, oldest first. Each component of a fake vector is the length of the text. */
  readonly embedded: EmbedRequest[];
  /** The names of the models that the service lists, as if their provider were configured. */
  models: readonly ModelName[];
  /** The received requests to preview the prompt of a question, oldest first. */
  readonly previews: AnswerRequest[];
  /** The prompt that the service returns for the next requests in `previews`. */
  prompt: PromptPreviewResponse;
  /** The fragments that lists of fragments contain. The fragments of a document are in the order of the document. */
  stored: readonly ListedFragment[];
  /** The fragments that the next searches return. */
  fragments: readonly FoundFragment[];
  /** The notes that the next searches return. */
  notes: readonly string[];
  /** The rewritten queries that the next searches return if they ask for rewritten queries. */
  rewritten: readonly string[] | undefined;
  /** The explanation that the next searches return if they ask for an explanation. */
  explanation: SearchTrace | undefined;
  /** Generates the events of the next answers. The default is an answer that completes immediately. */
  answer: (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>;
  /** The received requests to test the connection to a model provider, oldest first. */
  readonly tests: ModelTestRequest[];
  /** The model providers that environment variables of the service configure. */
  environmentProviders: ModelListResponse['providers'];
  /** The response to the next requests in `tests`. */
  testOutcome: ModelTestResponse;
  /** Returns the state of the service. */
  readStatus: () => Promise<ServiceReport>;
  /** If set, requests are refused with this status and problem. */
  refusal: { readonly status: number; readonly body: object } | undefined;
  close(): Promise<void>;
}

/** The explanation of a search in no datastores. */
export const EMPTY_EXPLANATION: SearchTrace = {
  query: { text: '', terms: [], languages: [] },
  lists: [],
  stages: [],
  results: [],
  dropped: [],
  droppedCounts: [],
};

const STATUS: ServiceReport = {
  ...{ name: 'query', instance: 'query-1', version: VERSION, startedAt: '2026-01-01T00:00:00.000Z' },
  dependencies: [{ name: 'fragments', required: true, reason: null, affects: ['searches', 'answers'] }],
  components: [{ kind: 'vector_store', name: 'qdrant' }],
};

/** The preview of the prompt of an agent without a model. */
const EMPTY_PROMPT: PromptPreviewResponse = {
  answeredBy: 'extractive',
  model: null,
  system: null,
  messages: [],
  sources: 0,
  promptTokens: 0,
  notes: [],
};

export async function startFakeQueryService(): Promise<FakeQueryService> {
  const token = 'internal-token-of-the-tests';
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/health/ready') {
      response.writeHead(fake.refusal?.status ?? 200).end();
      return;
    }
    if (request.url === SERVICE_REPORT_PATHS.status && fake.refusal === undefined) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(await fake.readStatus()));
      return;
    }
    const body = request.method === 'GET' ? undefined : await json(request);
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
    } else if (fake.refusal !== undefined) {
      response.writeHead(fake.refusal.status, { 'Content-Type': 'application/problem+json' });
      response.end(JSON.stringify(fake.refusal.body));
    } else if (request.url === '/internal/search') {
      fake.searches.push(body as SearchRequest); // the tests examine the real body
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const { fragments, notes } = fake;
      const { explain = false, rewrite = false } = body as SearchRequest;
      const extras = {
        rewritten: rewrite ? fake.rewritten : undefined,
        explanation: explain ? fake.explanation : undefined,
      };
      response.end(JSON.stringify({ fragments, notes, ...extras }));
    } else if (request.url === '/internal/fragments') {
      fake.listings.push(body as FragmentListRequest);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ fragments: selectListedFragments(fake.stored, body as FragmentListRequest) }));
    } else if (request.url === '/internal/embed') {
      fake.embedded.push(body as EmbedRequest);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(embedTexts(body as EmbedRequest)));
    } else if (request.url === MODEL_PATHS.list) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(listModels(fake, body as ModelListRequest)));
    } else if (request.url === MODEL_PATHS.test) {
      fake.tests.push(body as ModelTestRequest);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(fake.testOutcome));
    } else if (request.url === '/internal/prompt') {
      fake.previews.push(body as AnswerRequest);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(fake.prompt));
    } else {
      fake.questions.push(body as AnswerRequest);
      await sendAnswerEvents(fake, body as AnswerRequest, response);
    }
  };
  const server: HttpServer = await startHttpServer((request, response) => void handleRequest(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  const fake: FakeQueryService = {
    url: server.url,
    token,
    searches: [],
    questions: [],
    listings: [],
    embedded: [],
    models: [],
    previews: [],
    prompt: EMPTY_PROMPT,
    tests: [],
    environmentProviders: [],
    testOutcome: { model: 'openai/gpt-4o-mini', durationMs: 5, failure: null, status: null, networkError: null },
    stored: [],
    fragments: [],
    notes: [],
    rewritten: undefined,
    explanation: EMPTY_EXPLANATION,
    answer: () => streamEvents([{ type: 'delta', text: 'Yes.' }, buildCompletedEvent('Yes.')]),
    readStatus: async () => Promise.resolve(STATUS),
    refusal: undefined,
    close: async () => server.close(100),
  };
  return fake;
}

/**
 * Lists model providers as the real query service does: a provider that the environment configures replaces its stored
 * connection.
 */
function listModels(
  { environmentProviders, models }: FakeQueryService,
  { connections }: ModelListRequest,
): ModelListResponse {
  const stored = connections
    .filter(({ provider }) => !environmentProviders.some((one) => one.provider === provider))
    .map(({ provider, baseUrl = `https://${provider}.example/v1`, model = null }) => ({
      ...{ provider, baseUrl, model },
      source: 'api' as const,
    }));
  const providers = [...environmentProviders, ...stored];
  const [first] = providers;
  return {
    defaultModel: first === undefined ? null : `${first.provider}/${first.model ?? 'default'}`,
    models,
    providers,
  };
}

async function sendAnswerEvents(
  fake: FakeQueryService,
  request: AnswerRequest,
  response: ServerResponse,
): Promise<void> {
  const connection = new AbortController();
  response.once('close', () => {
    connection.abort();
  });
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  response.flushHeaders();
  try {
    for await (const event of fake.answer(request, connection.signal)) {
      if (!response.write(`${JSON.stringify(event)}\n`)) await once(response, 'drain', { signal: connection.signal });
    }
    response.end();
  } catch {
    response.destroy();
  }
}

function embedTexts({ embedding, texts }: EmbedRequest): EmbedResponse {
  const vectors = texts.map(({ length }) => Array.from({ length: embedding.dimensions }, () => length));
  return { vectors, tokens: texts.length };
}

/** Selects the fragments that the real query service would return for a request for a list of fragments. */
function selectListedFragments(
  stored: readonly ListedFragment[],
  { documentKeys, firstOrdinal, limit }: FragmentListRequest,
): readonly ListedFragment[] {
  const found = documentKeys.flatMap((key, at) =>
    stored.filter(({ documentKey, ordinal }) => documentKey === key && (at > 0 || ordinal >= firstOrdinal)),
  );
  return found.slice(0, limit);
}

/** Yields the given events as an asynchronous stream. */
export async function* streamEvents(events: readonly AnswerEvent[]): AsyncGenerator<AnswerEvent> {
  yield* events;
}

/** Builds the event that completes an answer, without sources by default. */
export function buildCompletedEvent(
  answer: string,
  more: Partial<Extract<AnswerEvent, { type: 'completed' }>> = {},
): Extract<AnswerEvent, { type: 'completed' }> {
  return {
    type: 'completed',
    answer,
    answeredBy: 'model',
    sources: [],
    usage: { promptTokens: 10, completionTokens: 2 },
    notes: [],
    ...more,
  };
}
