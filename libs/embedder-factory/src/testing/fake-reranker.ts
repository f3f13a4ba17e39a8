import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** Describes a request that the reranker received. */
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

/** Describes the response of a fake reranker: a status and a body, or undefined for no response. */
export type RerankerAnswer = { readonly status?: number; readonly body: unknown } | undefined;

/** Starts a local reranking server that sends the result of `answer` as the response to each request. */
export async function startFakeReranker(answer: (request: RerankerRequest) => RerankerAnswer): Promise<FakeReranker> {
  const requests: RerankerRequest[] = [];
  const server = createServer((message, response) => {
    void json(message).then((body) => {
      // The body is not validated, because tests check it.
      const request = { path: message.url, headers: message.headers, body: body as Record<string, unknown> };
      requests.push(request);
      const configured = answer(request);
      if (configured === undefined) return;
      response.writeHead(configured.status ?? 200, { 'content-type': 'application/json' });
      response.end(typeof configured.body === 'string' ? configured.body : JSON.stringify(configured.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('expected the fake reranker to listen on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
