import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { stopServer } from './fake-qdrant/fake-qdrant.js';

/**
 * Describes a proxy between stores and Qdrant that forwards requests one at a time, in an order that a test chooses.
 */
export interface StepProxy {
  /** Returns the URL for the requests of one actor, a concurrent store. The proxy recognizes the actor by this URL. */
  getActorUrl(actor: number): string;
  /**
   * Runs one task per actor. Whenever each actor has a pending request or has ended, `choose` selects, from the actors
   * with pending requests, the one whose request is forwarded next.
   */
  runTasksInSteps(
    tasks: readonly (() => Promise<void>)[],
    choose: (waiting: readonly number[]) => number,
  ): Promise<void>;
  close(): Promise<void>;
}

type Forward = () => Promise<void>;

export interface ProxiedRequest {
  readonly actor: number;
  readonly path: string;
  readonly body: string;
}

/**
 * Starts a proxy between stores and a Qdrant server.
 *
 * @param target URL of the Qdrant server
 * @param onRequest receives each forwarded request
 */
export async function startStepProxy(
  target: string,
  onRequest: (request: ProxiedRequest) => void = () => undefined,
): Promise<StepProxy> {
  const waiting = new Map<number, Forward>();
  let isStepping = false;
  let changed = Promise.withResolvers<undefined>();
  const notifyWaiting = (): void => {
    changed.resolve(undefined);
    changed = Promise.withResolvers<undefined>();
  };
  const server = createServer((incoming, outgoing) => {
    const [, actor = '', ...path] = (incoming.url ?? '').split('/');
    const forwardRequest = (): Promise<void> =>
      forwardRequestTo(`${target}/${path.join('/')}`, incoming, outgoing, (body) => {
        onRequest({ actor: Number(actor), path: path.join('/'), body });
      });
    if (!isStepping) return void forwardRequest();
    waiting.set(Number(actor), forwardRequest);
    notifyWaiting();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port

  return {
    getActorUrl: (actor) => `http://127.0.0.1:${String(port)}/${String(actor)}`,
    runTasksInSteps: async (tasks, choose) => {
      isStepping = true;
      const running = new Set(tasks.keys());
      const ended = tasks.map((task, actor) =>
        task().finally(() => {
          running.delete(actor);
          notifyWaiting();
        }),
      );
      const all = Promise.all(ended);
      all.catch(() => undefined);
      while (running.size > 0) {
        if (waiting.size < running.size) {
          await changed.promise;
          continue;
        }
        const actor = choose([...waiting.keys()].sort((a, b) => a - b));
        const forward = waiting.get(actor);
        waiting.delete(actor);
        await forward?.();
      }
      isStepping = false;
      await all;
    },
    close: () => stopServer(server),
  };
}

/** Forwards a request to the server. Waits for the complete response, and then sends it to the client. */
async function forwardRequestTo(
  url: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onBody: (body: string) => void,
): Promise<void> {
  const outgoingRequest = send(url, {
    method: incoming.method,
    headers: { ...incoming.headers, host: new URL(url).host },
  });
  const sent = await buffer(incoming);
  onBody(sent.toString());
  outgoingRequest.end(sent);
  const [answer] = (await once(outgoingRequest, 'response')) as [IncomingMessage]; // what node emits
  const body = await buffer(answer);
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
}
