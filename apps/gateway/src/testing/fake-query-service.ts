import type { AnswerEvent, AnswerRequest, FoundFragment, SearchRequest } from '@quarry/contracts';
import { startHttpServer, type HttpServer } from '@quarry/service-kit';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** An HTTP query service whose responses a test defines. */
export interface FakeQueryService {
  readonly url: string;
  readonly token: string;
  /** The received searches and questions, oldest first. */
  readonly searches: SearchRequest[];
  readonly questions: AnswerRequest[];
  /** The fragments that the next searches return. */
  fragments: readonly FoundFragment[];
  /** The notes that the next searches return. */
  notes: readonly string[];
  /** Generates the events of the next answers. The default is an answer that completes immediately. */
  answer: (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>;
  /** If set, requests are refused with this status and problem. */
  refusal: { readonly status: number; readonly body: object } | undefined;
  close(): Promise<void>;
}

export async function startFakeQueryService(): Promise<FakeQueryService> {
  const token = 'internal-token-of-the-tests';
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/health/ready') {
      response.writeHead(fake.refusal?.status ?? 200).end();
      return;
    }
    const body = await json(request);
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
    } else if (fake.refusal !== undefined) {
      response.writeHead(fake.refusal.status, { 'Content-Type': 'application/problem+json' });
      response.end(JSON.stringify(fake.refusal.body));
    } else if (request.url === '/internal/search') {
      fake.searches.push(body as SearchRequest); // the tests examine the real body
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ fragments: fake.fragments, notes: fake.notes }));
    } else {
      fake.questions.push(body as AnswerRequest);
      await sendEvents(fake, body as AnswerRequest, response);
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
    fragments: [],
    notes: [],
    answer: () => generateEvents([{ type: 'delta', text: 'Yes.' }, buildCompletedEvent('Yes.')]),
    refusal: undefined,
    close: async () => server.close(100),
  };
  return fake;
}

async function sendEvents(fake: FakeQueryService, request: AnswerRequest, response: ServerResponse): Promise<void> {
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

/** Yields the given events as an asynchronous stream. */
export async function* generateEvents(events: readonly AnswerEvent[]): AsyncGenerator<AnswerEvent> {
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
