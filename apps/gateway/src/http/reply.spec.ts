import { once } from 'node:events';
import { createServer, get, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { openEventStream } from './reply.js';
import { type EventStream, HEARTBEAT_FRAME } from '../answering/sse.js';

interface Opened {
  readonly stream: EventStream;
  readonly response: IncomingMessage;
  readonly serverSide: ServerResponse;
  /** Returns the text that the client has received. */
  readonly receivedText: () => string;
}

/** Opens an event stream with a heartbeat every 5 ms, and connects a client. */
async function openStream(accept?: string): Promise<Opened> {
  const opened = Promise.withResolvers<{ readonly stream: EventStream; readonly serverSide: ServerResponse }>();
  const server = createServer((_, serverSide) => {
    opened.resolve({ stream: openEventStream(serverSide, 5), serverSide });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a server that listens on a port');
  const [response] = (await once(
    get({ host: '127.0.0.1', port: address.port, headers: accept === undefined ? {} : { accept } }),
    'response',
  )) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { ...(await opened.promise), response, receivedText: () => text };
}

describe('sending an event stream to a client', () => {
  it('an event stream sends heartbeats while it is idle, and no heartbeat after it has ended', async () => {
    const { stream, response, receivedText } = await openStream();
    expect(response.headers['x-accel-buffering']).toBe('no');
    await expectEventually(() => receivedText().split(HEARTBEAT_FRAME).length).toBeGreaterThan(3);
    await stream.write('data: a\n\n');
    stream.end();
    await once(response, 'end');
    expect(receivedText().replaceAll(HEARTBEAT_FRAME, '')).toBe('data: a\n\n');
  });

  it.each([
    [undefined, 'text/event-stream; charset=utf-8'],
    ['*/*', 'text/event-stream; charset=utf-8'],
    ['application/json, text/plain, */*', 'text/event-stream; charset=utf-8'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, TEXT/event-stream;q=0.9', 'text/event-stream'],
  ])('an event stream for a client with the header Accept %j has the content type %s', async (accept, type) => {
    const { response } = await openStream(accept);
    expect(response.headers['content-type']).toBe(type);
  });

  it('writing to an event stream does not wait for a client that has disconnected', async () => {
    const { stream, response, serverSide } = await openStream();
    response.destroy();
    await once(serverSide, 'close');
    await expect(stream.write('x'.repeat(10_000_000))).resolves.toBeUndefined();
  });

  it('an event stream writes no heartbeats while earlier data waits for a client that does not read', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const stream = openEventStream(response, 5);
    vi.advanceTimersByTime(20);
    expect(response.writableLength).toBeGreaterThan(3 * HEARTBEAT_FRAME.length);
    void stream.write('x'.repeat(1_000_000));
    expect(response.writableNeedDrain).toBe(true);
    const waiting = response.writableLength;
    vi.advanceTimersByTime(50);
    expect(response.writableLength).toBe(waiting);
    response.destroy();
  });
});
