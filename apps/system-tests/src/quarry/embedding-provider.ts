import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An OpenAI-compatible address that writes down what it is asked to embed. All texts are alike to it. */
export interface EmbeddingProvider {
  readonly baseUrl: string;
  readonly asked: readonly string[];
  forget(): void;
  stop(): void;
}

export const EMBEDDING = { model: 'alike', dimensions: 4, distance: 'cosine' } as const;

export async function startEmbeddingProvider(): Promise<EmbeddingProvider> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { input: string[] }; // as Quarry sends it
      asked.push(...input);
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0, 0, 0] }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    forget() {
      asked.length = 0;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
