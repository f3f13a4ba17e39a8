import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** An HTTP server that receives the events of webhooks. */
export interface Receiver {
  readonly url: string;
  /** The received requests, oldest first, with the body of each as text. */
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** The response to the next requests. Without `body`, the body is `ok`. With `isEndless`, the response never ends. */
  answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
    readonly isEndless?: true;
  };
  /** Delays all responses until the returned function is called. */
  delayResponses(): () => void;
  close(): void;
}

export async function startWebhookReceiver(): Promise<Receiver> {
  let released: Promise<undefined> = Promise.resolve(undefined);
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      receiver.received.push({ headers: request.headers, body });
      await released;
      const { status, headers, body: answered = 'ok', isEndless } = receiver.answer;
      response.writeHead(status, headers).write(answered);
      if (isEndless !== true) response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: { status: 200 },
    delayResponses: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      released = promise;
      return () => {
        resolve(undefined);
      };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
