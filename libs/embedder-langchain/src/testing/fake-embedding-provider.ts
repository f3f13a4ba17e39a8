import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createInMemoryEmbedder } from '@quarry/embedder/testing';

/** Describes a request that the provider received. */
export interface ProviderRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
  readonly texts: readonly string[];
}

export type Answer = (response: ServerResponse, request: ProviderRequest) => void;

/**
 * Describes a local server with an OpenAI-compatible `/v1/embeddings`, or with another protocol. It returns
 * embeddings, unless a test sets other responses.
 */
export interface FakeProvider {
  readonly baseUrl: string;
  readonly requests: readonly ProviderRequest[];
  readonly maxConcurrent: () => number;
  /** Sends the default response, which contains embeddings. */
  readonly embed: Answer;
  answerNext(...answers: readonly Answer[]): void;
  answerAlways(answer: Answer): void;
  close(): Promise<void>;
}

export function createJsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export function createErrorAnswer(status: number, message: string, code?: string): Answer {
  return createJsonAnswer(status, { error: { message, type: 'error', code: code ?? null } });
}

/** Closes the connection in the middle of a response. */
export const breakConnection: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"object":"list","data":[', () => response.destroy());
};

/** Sends no response. */
export const omitResponse: Answer = () => undefined;

/** Describes the protocol of a provider. */
export interface Protocol {
  /** Extracts the texts of a request. @throws Error for an invalid request */
  readonly listTexts: (path: string, body: object) => readonly unknown[];
  readonly answer: (vectors: readonly (readonly number[])[]) => unknown;
}

const OPENAI: Protocol = {
  listTexts: (path, body) => {
    if (path !== '/v1/embeddings') throw new Error(`expected a request to /v1/embeddings, found ${path}`);
    if (!('input' in body)) throw new Error('expected the field `input` in the request, found none');
    const texts: readonly unknown[] = Array.isArray(body.input) ? body.input : [body.input];
    return texts;
  },
  answer: (vectors) => ({
    object: 'list',
    model: 'fake',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }),
};

export async function startFakeProvider(dimensions: number, protocol: Protocol = OPENAI): Promise<FakeProvider> {
  const embedder = createInMemoryEmbedder({ dimensions });
  const requests: ProviderRequest[] = [];
  const next: Answer[] = [];
  let open = 0;
  let maxOpen = 0;

  const embed: Answer = (response, request) => {
    // Like the vectors of some providers, these vectors do not have unit length.
    const scaled = request.texts.map(async (text) => [...(await embedder.embedQuery(text))].map((value) => value * 3));
    void Promise.all(scaled).then((vectors) => {
      createJsonAnswer(200, protocol.answer(vectors))(response, request);
    });
  };
  let always = embed;

  const serveRequest = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    response.on('close', () => (open -= 1));
    const request = await readRequest(message, protocol);
    requests.push(request);
    (next.shift() ?? always)(response, request);
  };
  const server = createServer((message, response) => void serveRequest(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('expected the fake embedding provider to listen on a port');

  return {
    baseUrl: `http://127.0.0.1:${address.port}${protocol === OPENAI ? '/v1' : ''}`,
    requests,
    maxConcurrent: () => maxOpen,
    embed,
    answerNext: (...answers) => next.push(...answers),
    answerAlways: (answer) => (always = answer),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(message: IncomingMessage, protocol: Protocol): Promise<ProviderRequest> {
  const body: unknown = await json(message);
  if (typeof body !== 'object' || body === null) throw new Error('expected a JSON object as the body of the request');
  const texts = protocol.listTexts(message.url ?? '', body).map(String);
  return { body: { ...body }, headers: message.headers, texts };
}
