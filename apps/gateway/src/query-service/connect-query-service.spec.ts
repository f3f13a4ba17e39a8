import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnswerEvent } from '@quarry/contracts';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { connectQueryService, type QueryService } from './connect-query-service.js';

const NOTHING_FOUND = { fragments: [], notes: [] };
const REQUEST = { query: 'x', topK: 1 } as unknown as Parameters<QueryService['search']>[0]; // the tests do not read the contents
const QUESTION = { query: 'x' } as unknown as Parameters<QueryService['answer']>[0]; // the tests do not read the contents
const { signal } = new AbortController();
const servers: Server[] = [];
let asked = 0;

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a service that responds to every request with a given problem. @returns the port of the service */
async function startRefusingService(status: number, code: string, retryAfter: string): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'Retry-After': retryAfter });
    response.end(JSON.stringify({ code, detail: 'why' }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // the address of a TCP server has this form
}

/** Starts a service that closes the first `lost` connections without a response. @returns the port of the service */
async function startUnstableService(port: number, lost: number): Promise<number> {
  asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked <= lost) request.socket.destroy();
    else response.end(JSON.stringify(NOTHING_FOUND));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // the address of a TCP server has this form
}

/**
 * Starts a service whose responses `respond` writes, as lines of JSON. `respond` may leave a response open.
 *
 * @returns the server and its port
 */
async function startAnsweringService(respond: (response: ServerResponse) => void): Promise<readonly [Server, number]> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      respond(response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, (server.address() as AddressInfo).port]; // the address of a TCP server has this form
}

const DELTA = { type: 'delta', text: 'Yes' };
const writeDelta = (response: ServerResponse): boolean => response.write(`${JSON.stringify(DELTA)}\n`);

async function readAll(events: AsyncIterable<AnswerEvent>): Promise<readonly AnswerEvent[]> {
  const all: AnswerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const connectToPort = (port: number): QueryService =>
  connectQueryService({ url: `http://127.0.0.1:${port}`, token: 'token' });

describe('a request to a query service with restarting replicas', () => {
  it('the query service client sends a request again after the connection was closed without a response', async () => {
    const service = connectToPort(await startUnstableService(0, 2));
    expect(await service.search(REQUEST, signal)).toEqual(NOTHING_FOUND);
    expect(asked).toBe(3);
  });

  it('the query service client repeats a request until the query service accepts connections', async () => {
    const port = await findFreePort();
    const found = connectToPort(port).search(REQUEST, signal);
    await startUnstableService(port, 0);
    expect(await found).toEqual(NOTHING_FOUND);
  });

  it('if the query service closes three connections of a request without a response, the query service client rejects with `dependency_unavailable`', async () => {
    const service = connectToPort(await startUnstableService(0, 9));
    await expect(service.search(REQUEST, signal)).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect(asked).toBe(3);
  });

  it('if the caller aborts a request, the query service client rejects with the abort reason', async () => {
    const aborting = new AbortController();
    const found = connectToPort(await findFreePort()).search(REQUEST, aborting.signal);
    aborting.abort(new Error('aborted by the caller'));
    await expect(found).rejects.toThrow('aborted by the caller');
  });
});

describe('the connections to the query service', () => {
  it('the query service client reuses its connections for later requests', async () => {
    const [server, port] = await startAnsweringService((response) => response.end(JSON.stringify(NOTHING_FOUND)));
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    const service = connectToPort(port);
    for (let request = 0; request < 10; request += 1) await service.search(REQUEST, signal);
    expect(connections).toBeLessThanOrEqual(2); // a request may start before the connection of the previous request is free
  });

  it('if the query service ends a response before the final event, the query service client ends the answer with the event `failed`', async () => {
    const [, port] = await startAnsweringService((response) => {
      writeDelta(response);
      response.end();
    });
    const events = await readAll(await connectToPort(port).answer(QUESTION, signal));
    expect(events).toEqual([DELTA, expect.objectContaining({ type: 'failed', code: 'answer_failed' })]);
  });

  it('if the connection breaks during an answer, the query service client throws `dependency_unavailable`', async () => {
    const [, port] = await startAnsweringService((response) => {
      response.write(`${JSON.stringify(DELTA)}\n`, () => response.destroy());
    });
    const events = await connectToPort(port).answer(QUESTION, signal);
    await expect(readAll(events)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });

  it('the query service client closes the connection of an answer when the caller aborts the answer', async () => {
    const aborting = new AbortController();
    const closed = Promise.withResolvers<unknown>();
    const [, port] = await startAnsweringService((response) => {
      writeDelta(response);
      closed.resolve(once(response, 'close'));
    });
    const events = (await connectToPort(port).answer(QUESTION, aborting.signal))[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: DELTA });
    const next = events.next();
    aborting.abort(new Error('aborted by the caller'));
    await expect(next).rejects.toThrow('aborted by the caller');
    await closed.promise;
  });
});

describe('an error response of the query service', () => {
  it.each([
    [503, 'overloaded', 'overloaded'],
    [503, 'model_rate_limited', 'model_rate_limited'],
    [503, 'something_newer', 'dependency_unavailable'],
  ])(
    'the query service client translates status %i with the code %s to the code %s, and keeps the `Retry-After` header',
    async (status, code, expected) => {
      const service = connectToPort(await startRefusingService(status, code, '17'));
      await expect(service.search(REQUEST, signal)).rejects.toMatchObject({
        code: expected,
        headers: { 'Retry-After': '17' },
      });
    },
  );
});

describe('an endless response of the query service', () => {
  /**
   * Starts a service that sends an endless response until the client disconnects.
   *
   * @returns the port, and a promise that resolves when the connection is closed
   */
  async function startEndlessService(
    status: number,
  ): Promise<{ readonly port: number; readonly closed: Promise<unknown> }> {
    const closed = Promise.withResolvers<unknown>();
    const [, port] = await startAnsweringService((response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1024 * 1024)));
      };
      response.writeHead(status).on('drain', write).on('close', closed.resolve);
      write();
    });
    return { port, closed: closed.promise };
  }

  it('the query service client refuses a response to a search that is larger than 64 MiB', async () => {
    const { port, closed } = await startEndlessService(200);
    const message = 'expected a response of at most 67108864 bytes, found a longer one';
    const error = { code: 'dependency_unavailable', cause: { message } };
    await expect(connectToPort(port).search(REQUEST, signal)).rejects.toMatchObject(error);
    await closed;
  });

  it('the query service client refuses an event of an answer that is longer than 8 Mi characters', async () => {
    const { port, closed } = await startEndlessService(200);
    const message = 'expected a line of at most 8388608 characters, found a longer one';
    const reading = readAll(await connectToPort(port).answer(QUESTION, signal));
    await expect(reading).rejects.toMatchObject({ code: 'dependency_unavailable', cause: { message } });
    await closed;
  });

  it('if the body of an error response never ends, the query service client throws the problem for the status of the response', async () => {
    const { port, closed } = await startEndlessService(503);
    await expect(connectToPort(port).search(REQUEST, signal)).rejects.toMatchObject({ code: 'dependency_unavailable' });
    await closed;
  });
});
