import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { inMemoryEmbedder } from '@quarry/embedder/testing';

/** A request that the provider has received. */
export interface ProviderRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
  readonly texts: readonly string[];
}

export type Answer = (response: ServerResponse, request: ProviderRequest) => void;

/** An OpenAI-compatible `/v1/embeddings`, or another wire, on this machine. What it answers next can be told; without, it embeds. */
export interface FakeProvider {
  readonly baseUrl: string;
  readonly requests: readonly ProviderRequest[];
  readonly mostAtOnce: () => number;
  /** What it answers unless told otherwise. */
  readonly embed: Answer;
  answerNext(...answers: readonly Answer[]): void;
  answerAlways(answer: Answer): void;
  close(): Promise<void>;
}

export function answering(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export function refusing(status: number, message: string, code?: string): Answer {
  return answering(status, { error: { message, type: 'error', code: code ?? null } });
}

/** Ends the connection in the middle of an answer. */
export const cutShort: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"object":"list","data":[', () => response.destroy());
};

/** Never answers. */
export const silent: Answer = () => undefined;

/** How a provider is asked and answers. */
export interface Wire {
  /** @throws when the request is not as the provider wants it */
  readonly textsOf: (path: string, body: object) => readonly unknown[];
  readonly answer: (vectors: readonly (readonly number[])[]) => unknown;
}

const OPENAI: Wire = {
  textsOf: (path, body) => {
    if (path !== '/v1/embeddings') throw new Error(`/v1/embeddings was to be asked, found ${path}`);
    if (!('input' in body)) throw new Error('a request has an input');
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

export async function startFakeProvider(dimensions: number, wire: Wire = OPENAI): Promise<FakeProvider> {
  const embedder = inMemoryEmbedder({ dimensions });
  const requests: ProviderRequest[] = [];
  const next: Answer[] = [];
  let open = 0;
  let most = 0;

  const embed: Answer = (response, request) => {
    // A provider need not give unit length.
    const scaled = request.texts.map(async (text) => [...(await embedder.embedQuery(text))].map((value) => value * 3));
    void Promise.all(scaled).then((vectors) => {
      answering(200, wire.answer(vectors))(response, request);
    });
  };
  let always = embed;

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => (open -= 1));
    const request = await readRequest(message, wire);
    requests.push(request);
    (next.shift() ?? always)(response, request);
  };
  const server = createServer((message, response) => void serve(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider listens on no port');

  return {
    baseUrl: `http://127.0.0.1:${address.port}${wire === OPENAI ? '/v1' : ''}`,
    requests,
    mostAtOnce: () => most,
    embed,
    answerNext: (...answers) => next.push(...answers),
    answerAlways: (answer) => (always = answer),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(message: IncomingMessage, wire: Wire): Promise<ProviderRequest> {
  const body: unknown = await json(message);
  if (typeof body !== 'object' || body === null) throw new Error('a request has a body');
  const texts = wire.textsOf(message.url ?? '', body).map(String);
  return { body: { ...body }, headers: message.headers, texts };
}
