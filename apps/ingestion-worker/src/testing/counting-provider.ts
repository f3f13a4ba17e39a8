import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An OpenAI-compatible embedding server that counts how often each text was requested. */
export interface CountingProvider {
  readonly baseUrl: string;
  readonly requestsByText: ReadonlyMap<string, number>;
  readonly countRequests: () => number;
  /**
   * Called before the response to request number `n`, counted from 1. If it throws, the response has the status 429 and
   * a `retry-after` header of one hour.
   */
  onRequest: (n: number) => Promise<void> | void;
  /** Returns whether the texts of a request are within the limits of the server. If not, the response status is 413. */
  accepts: (texts: readonly string[]) => boolean;
  close(): Promise<void>;
}

const VECTOR = [1, 0, 0, 0];
export const COUNTED = { model: 'counted', dimensions: VECTOR.length, distance: 'cosine' } as const;

export async function startCountingProvider(): Promise<CountingProvider> {
  const requestsByText = new Map<string, number>();
  let requests = 0;
  const server = createServer((request, response) => {
    void json(request).then(async (body) => {
      const { input } = body as { input: string[] }; // as the embedder sends it
      requests += 1;
      try {
        await provider.onRequest(requests);
      } catch {
        response.writeHead(429, { 'retry-after': '3600' }).end();
        return;
      }
      if (!provider.accepts(input)) {
        response.writeHead(413).end();
        return;
      }
      for (const text of input) requestsByText.set(text, (requestsByText.get(text) ?? 0) + 1);
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding: VECTOR }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const provider: CountingProvider = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requestsByText,
    countRequests: () => requests,
    onRequest: () => undefined,
    accepts: () => true,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}
