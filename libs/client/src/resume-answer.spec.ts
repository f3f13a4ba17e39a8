import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerEvent } from './answer-events.js';
import { createClient } from './client.js';
import type { QuarryClient } from './client.js';

const TEXT = 'We open at nine.';
const RESPONSE = { answer: TEXT, conversationId: 'c', messageId: 'm', visitorId: 'v', sources: [] };
const END = `event: endpoint_response\ndata: ${JSON.stringify(RESPONSE)}\n\ndata: [DONE]\n\n`;
const IDS = { 'Quarry-Conversation-Id': 'c', 'Quarry-Message-Id': 'm' };

/** Formats the part of `TEXT` between two positions as one server-sent event. */
const formatTextEvent = (from: number, to: number): string =>
  `id: ${to}\nevent: answer\ndata: ${TEXT.slice(from, to)}\n\n`;

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/**
 * Starts a server that responds to the n-th request with the n-th of the given functions.
 *
 * @returns a client of the server, and the requested URLs
 */
async function startServer(...responses: readonly Respond[]): Promise<{ quarry: QuarryClient; urls: string[] }> {
  const urls: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    urls.push(`${request.method ?? ''} ${request.url ?? ''}`);
    responses[urls.length - 1]?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { quarry: createClient({ baseUrl, apiKey: 'k', resumeWaitMs: 1 }), urls };
}

const startResponse = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'Content-Type': 'text/event-stream', ...IDS });
/** Creates a response function that sends a text and then cuts the connection. */
const breakConnectionAfter =
  (frames: string): Respond =>
  (response) => {
    startResponse(response).write(frames, () => response.socket?.resetAndDestroy());
  };
const sendAndEnd =
  (frames: string): Respond =>
  (response) => {
    startResponse(response).end(frames);
  };

async function collectAnswer(events: AsyncIterable<AnswerEvent>): Promise<{ text: string; response: unknown }> {
  let text = '';
  let response: unknown;
  for await (const event of events) {
    if (event.type === 'answer') text += event.text;
    else ({ response } = event);
  }
  return { text, response };
}

describe('streamAgent with resumable: true', () => {
  it('after each interruption, a resumable answer continues at the end of the received text', async () => {
    const { quarry, urls } = await startServer(
      breakConnectionAfter(formatTextEvent(0, 7)),
      breakConnectionAfter(formatTextEvent(7, 10)),
      // The connection breaks within `endpoint_response`. The client discards the received part of that event.
      breakConnectionAfter(`${formatTextEvent(10, 16)}event: endpoint_response\ndata: {"answer"\n\n`),
      sendAndEnd(END),
    );
    const started: unknown[] = [];
    const request = { query: 'When?', resumable: true };
    let resumed = 0;
    const options = { onStart: (ids: unknown) => void started.push(ids), onResume: () => void (resumed += 1) };
    const answer = await collectAnswer(quarry.streamAgent('a', request, options));
    expect(resumed).toBe(3);
    expect(answer).toEqual({ text: TEXT, response: RESPONSE });
    expect(started).toEqual([{ conversationId: 'c', messageId: 'm' }]);
    const stream = 'GET /conversations/c/messages/m/stream?after=';
    expect(urls).toEqual(['POST /agents/a/query', `${stream}7`, `${stream}10`, `${stream}16`]);
  });

  it('a resumable answer reopens a stream that ends without [DONE] or [ERROR], even if the stream contained no text', async () => {
    const { quarry } = await startServer(
      sendAndEnd(': still here\n\n'),
      sendAndEnd(''),
      sendAndEnd(formatTextEvent(0, 16) + END),
    );
    expect((await collectAnswer(quarry.streamAgent('a', { query: 'q', resumable: true }))).text).toBe(TEXT);
  });

  it('a resumable answer repeats the request for the rest of the text if the server closes the connection or responds with 502 or 429', async () => {
    const { quarry, urls } = await startServer(
      breakConnectionAfter(formatTextEvent(0, 7)),
      (response) => response.socket?.destroy(),
      (response) => response.writeHead(502).end(),
      (response) => response.writeHead(429).end(),
      sendAndEnd(formatTextEvent(7, 16) + END),
    );
    expect((await collectAnswer(quarry.streamAgent('a', { query: 'q', resumable: true }))).text).toBe(TEXT);
    expect(urls).toHaveLength(5);
  });

  it('if the stream reports an error, a resumable answer throws this error and does not resume the stream', async () => {
    const { quarry, urls } = await startServer(
      sendAndEnd(`${formatTextEvent(0, 7)}data: [ERROR] model_unavailable: Gone.\n\n`),
    );
    const reading = collectAnswer(quarry.streamAgent('a', { query: 'q', resumable: true }));
    await expect(reading).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(urls).toHaveLength(1);
  });

  it('if the server responds to the request to resume with 404, a resumable answer throws the error in this response', async () => {
    const problem = JSON.stringify({ status: 404, code: 'not_found', detail: 'No stream.' });
    const { quarry } = await startServer(breakConnectionAfter(formatTextEvent(0, 7)), (response) =>
      response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end(problem),
    );
    const reading = collectAnswer(quarry.streamAgent('a', { query: 'q', resumable: true }));
    await expect(reading).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('after the caller has aborted the call, a resumable answer sends no request to resume', async () => {
    const aborting = new AbortController();
    const { quarry, urls } = await startServer((response) => {
      startResponse(response).write(formatTextEvent(0, 7));
    });
    const events = quarry.streamAgent('a', { query: 'q', resumable: true }, { signal: aborting.signal });
    await events.next();
    aborting.abort();
    await expect(events.next()).rejects.toThrow();
    expect(urls).toHaveLength(1);
  });
});

describe('streamAgent without resumable', () => {
  it('an answer that is not resumable throws an error when the connection breaks', async () => {
    const { quarry, urls } = await startServer(breakConnectionAfter(formatTextEvent(0, 7)));
    await expect(collectAnswer(quarry.streamAgent('a', { query: 'q' }))).rejects.toThrow();
    expect(urls).toHaveLength(1);
  });
});

describe('streamAnswer', () => {
  it('streamAnswer streams an answer from the position `after`, and continues after an interruption', async () => {
    const { quarry, urls } = await startServer(
      breakConnectionAfter(formatTextEvent(3, 7)),
      sendAndEnd(formatTextEvent(7, 16) + END),
    );
    const { text } = await collectAnswer(quarry.streamAnswer('c', 'm', { after: 3 }));
    expect(text).toBe(TEXT.slice(3));
    expect(urls.map((url) => url.split('?')[1])).toEqual(['after=3', 'after=7']);
  });
});
