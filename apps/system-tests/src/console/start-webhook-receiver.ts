import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A server on this machine that receives the events of webhooks. */
export interface TestReceiver {
  readonly url: string;
  /** The received requests, the oldest first. */
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /**
   * HTTP statuses of the next responses, in order. Each response uses and removes the first status. If the list is
   * empty, the status is 200.
   */
  readonly statuses: number[];
}

/**
 * Starts a webhook receiver, which stops at the end of the test.
 *
 * @param responseBody body of every response
 */
export async function startWebhookReceiver({ responseBody = '{"stored":true}' } = {}): Promise<TestReceiver> {
  const received: TestReceiver['received'] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end(responseBody);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return { url: `http://127.0.0.1:${port}/hooks/quarry`, received, statuses };
}
