import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const EMBEDDING = { model: 'constant', dimensions: 8, distance: 'cosine' } as const;

export interface ConstantProvider {
  readonly baseUrl: string;
  /** Returns the number of embedded texts so far. */
  readonly texts: () => number;
  stop(): void;
}

/** Starts an OpenAI-compatible embedding server that returns the same vector for every text at almost no cost. */
export async function startConstantProvider(): Promise<ConstantProvider> {
  let texts = 0;
  const embedding = [1, ...Array<number>(EMBEDDING.dimensions - 1).fill(0)];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { input: string[] }; // the body that Quarry sends
      texts += input.length;
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    texts: () => texts,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
