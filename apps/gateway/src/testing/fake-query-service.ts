import type { AnswerEvent, AnswerRequest, FoundFragment, SearchRequest } from '@quarry/contracts';
import { listen, type HttpServer } from '@quarry/service-kit';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A query service that says what a test tells it to, over HTTP as the real one does. */
export interface FakeQueryService {
  readonly url: string;
  readonly token: string;
  /** What it was asked, oldest first. */
  readonly searches: SearchRequest[];
  readonly questions: AnswerRequest[];
  /** What the next searches find. */
  fragments: readonly FoundFragment[];
  /** What they say of themselves. */
  notes: readonly string[];
  /** Gives the next answers; by default one that is complete at once. */
  answer: (request: AnswerRequest, gone: AbortSignal) => AsyncIterable<AnswerEvent>;
  /** Refuses what comes next with this status and problem. */
  refusal: { readonly status: number; readonly body: object } | undefined;
  close(): Promise<void>;
}

export async function startFakeQueryService(): Promise<FakeQueryService> {
  const token = 'internal-token-of-the-tests';
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
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
      fake.searches.push(body as SearchRequest); // the tests look at what was really sent
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ fragments: fake.fragments, notes: fake.notes }));
    } else {
      fake.questions.push(body as AnswerRequest);
      await stream(fake, body as AnswerRequest, response);
    }
  };
  const server: HttpServer = await listen((request, response) => void handle(request, response), {
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
    answer: () => sayAll([{ type: 'delta', text: 'Yes.' }, completed('Yes.')]),
    refusal: undefined,
    close: async () => server.close(100),
  };
  return fake;
}

async function stream(fake: FakeQueryService, request: AnswerRequest, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  response.flushHeaders();
  try {
    for await (const event of fake.answer(request, gone.signal)) {
      if (!response.write(`${JSON.stringify(event)}\n`)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch {
    response.destroy();
  }
}

export async function* sayAll(events: readonly AnswerEvent[]): AsyncGenerator<AnswerEvent> {
  yield* events;
}

/** The end of an answer without sources. */
export function completed(
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
