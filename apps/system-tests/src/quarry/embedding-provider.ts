import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A simulated embedding provider with OpenAI's API. It records the texts, and returns the same vector for each. */
export interface EmbeddingProvider {
  readonly baseUrl: string;
  readonly asked: readonly string[];
  clear(): void;
  stop(): void;
}

export const EMBEDDING = { model: 'alike', dimensions: 4, distance: 'cosine' } as const;

export async function startEmbeddingProvider(): Promise<EmbeddingProvider> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { input: string[] }; // the body that Quarry sends
      asked.push(...input);
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0, 0, 0] }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    clear() {
      asked.length = 0;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
