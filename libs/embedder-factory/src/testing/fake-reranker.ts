import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** A request that the reranker has received. */
export interface RerankerRequest {
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeReranker {
  readonly url: string;
  readonly requests: readonly RerankerRequest[];
  close(): Promise<void>;
}

/** What a fake answers: a status and a body; undefined: nothing, ever. */
export type RerankerAnswer = { readonly status?: number; readonly body: unknown } | undefined;

/** A reranker on this machine that answers what it is told to. */
export async function startFakeReranker(answer: (request: RerankerRequest) => RerankerAnswer): Promise<FakeReranker> {
  const requests: RerankerRequest[] = [];
  const server = createServer((message, response) => {
    void json(message).then((body) => {
      // Whatever is sent, the tests look at it.
      const request = { path: message.url, headers: message.headers, body: body as Record<string, unknown> };
      requests.push(request);
      const told = answer(request);
      if (told === undefined) return;
      response.writeHead(told.status ?? 200, { 'content-type': 'application/json' });
      response.end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the reranker listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
