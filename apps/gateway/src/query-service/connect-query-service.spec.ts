import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { connectQueryService, type QueryService } from './connect-query-service.js';

const NOTHING_FOUND = { fragments: [], notes: [] };
const REQUEST = { query: 'x', topK: 1 } as unknown as Parameters<QueryService['search']>[0]; // its contents are irrelevant here
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

const connectTo = (port: number): QueryService =>
  connectQueryService({ url: `http://127.0.0.1:${port}`, token: 'token' });

describe('a request to a query service with restarting replicas', () => {
  it('sends a request again after the connection was closed without a response', async () => {
    const service = connectTo(await startUnstableService(0, 2));
    expect(await service.search(REQUEST, signal)).toEqual(NOTHING_FOUND);
    expect(asked).toBe(3);
  });

  it('sends a request again until the service accepts connections', async () => {
    const port = await findFreePort();
    const found = connectTo(port).search(REQUEST, signal);
    await startUnstableService(port, 0);
    expect(await found).toEqual(NOTHING_FOUND);
  });

  it('does not send a request again after three closed connections', async () => {
    const service = connectTo(await startUnstableService(0, 9));
    await expect(service.search(REQUEST, signal)).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect(asked).toBe(3);
  });

  it('does not send a request again after its caller has aborted it', async () => {
    const aborting = new AbortController();
    const found = connectTo(await findFreePort()).search(REQUEST, aborting.signal);
    aborting.abort(new Error('aborted by the caller'));
    await expect(found).rejects.toThrow('aborted by the caller');
  });
});

describe('a refusal of the query service', () => {
  it.each([
    [503, 'overloaded', 'overloaded'],
    [503, 'model_rate_limited', 'model_rate_limited'],
    [503, 'something_newer', 'dependency_unavailable'],
  ])('translates a refusal with %i %s to %s and keeps its Retry-After header', async (status, code, expected) => {
    const service = connectTo(await startRefusingService(status, code, '17'));
    await expect(service.search(REQUEST, signal)).rejects.toMatchObject({
      code: expected,
      headers: { 'Retry-After': '17' },
    });
  });
});
