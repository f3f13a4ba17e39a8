import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChatCall, readModel } from '../testing/read-model.js';
import type { ChatModel } from './chat-model.js';
import { connectOpenAiCompatible } from './openai-response.js';
import { createProviderModel } from './provider-model.js';

const WORD = { choices: [{ index: 0, delta: { content: 'Yes' } }] };
const STOP = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

let server: Server;
let respond: (response: ServerResponse) => void;
const sent: { readonly path: string | undefined; readonly body: unknown; readonly socket: Socket }[] = [];

beforeEach(async () => {
  sent.length = 0;
  server = createServer((request, response) => {
    void json(request).then((body) => {
      sent.push({ path: request.url, body, socket: request.socket });
      respond(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function openModel(name = 'a-model', path = '/v1'): ChatModel {
  const { port } = server.address() as AddressInfo; // listens on a port
  const connect = connectOpenAiCompatible({ baseUrl: `http://127.0.0.1:${port}${path}`, apiKey: 'k' });
  return createProviderModel('test/model', connect(name));
}

/** Responds with server-sent events, and does not end the response. */
function sendEvents(response: ServerResponse, ...events: readonly (object | string)[]): ServerResponse {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const data of events) response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  return response;
}

describe('connectOpenAiCompatible', () => {
  it('the OpenAI-compatible client reuses the connection of a complete response for the next request', async () => {
    respond = (response) => sendEvents(response, WORD, STOP, '[DONE]').end();
    const model = openModel();
    for (const question of ['a', 'b', 'c', 'd', 'e', 'f']) await readModel(model, createChatCall(question));
    // The next call may start before the end of the previous response has arrived.
    expect(new Set(sent.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2);
  });

  it('if the server does not end the response after `[DONE]`, the OpenAI-compatible client completes the answer and closes the connection', async () => {
    respond = (response) => sendEvents(response, WORD, STOP, '[DONE]', 'no JSON');
    const { texts } = await readModel(openModel(), createChatCall('x'));
    expect(texts).toEqual(['Yes']);
    await once(sent[0]?.socket ?? server, 'close');
  });

  it('the OpenAI-compatible client yields a text before the next text arrives', async () => {
    let readRest: () => void = () => undefined;
    respond = (response) => {
      sendEvents(response, WORD);
      readRest = () => sendEvents(response, WORD, STOP, '[DONE]').end();
    };
    const texts: unknown[] = [];
    for await (const piece of openModel().generate(createChatCall('x'))) {
      texts.push(piece);
      if (texts.length === 1) readRest();
    }
    expect(texts).toEqual([{ text: 'Yes' }, { text: 'Yes' }]);
  });

  it('the OpenAI-compatible client joins the texts that arrive in one part of the response', async () => {
    const events = [WORD, WORD, WORD, STOP, '[DONE]'];
    const text = events.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join('');
    respond = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    expect((await readModel(openModel(), createChatCall('x'))).texts).toEqual(['YesYesYes']);
  });

  it('if a text and an error event arrive together, the OpenAI-compatible client yields the text, and then throws', async () => {
    const error = { error: { message: 'Overloaded', code: 502 } };
    const text = [WORD, error].map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    respond = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    const pieces: unknown[] = [];
    const reading = (async () => {
      for await (const piece of openModel().generate(createChatCall('x'))) pieces.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'model_interrupted', message: 'test/model: Overloaded' });
    expect(pieces).toEqual([{ text: 'Yes' }]);
  });

  it('if a server sends the token usage so far with each chunk, the OpenAI-compatible client reports the last usage', async () => {
    const createUsage = (completion: number) => ({ usage: { prompt_tokens: 11, completion_tokens: completion } });
    const chunks = [{ ...WORD, ...createUsage(1) }, { ...WORD, ...createUsage(2) }, STOP];
    respond = (response) => sendEvents(response, ...chunks, '[DONE]').end();
    const found = await readModel(openModel(), createChatCall('x'));
    expect(found.usage).toEqual({ promptTokens: 11, completionTokens: 2 });
  });

  it('the OpenAI-compatible client joins a character that is split between two parts of the response', async () => {
    const INSIDE_EMOJI = -11;
    const bytes = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Größe 🙂' } }] })}\r\n\r\n`);
    respond = (response) => {
      response.writeHead(200).write(bytes.subarray(0, INSIDE_EMOJI));
      setImmediate(() => {
        response.write(bytes.subarray(INSIDE_EMOJI));
        response.end(`data: ${JSON.stringify(STOP)}\r\n\r\ndata: [DONE]\r\n\r\n`);
      });
    };
    expect((await readModel(openModel(), createChatCall('x'))).texts.join('')).toBe('Größe 🙂');
  });

  it('the OpenAI-compatible client refuses an endless event, and closes its connection', async () => {
    respond = (response) => {
      const sendRequest = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      sendEvents(response, WORD).write('data: ');
      response.on('drain', sendRequest);
      sendRequest();
    };
    const reading = readModel(openModel(), createChatCall('x'));
    await expect(reading).rejects.toMatchObject({
      message: expect.stringContaining('at most 1048576 bytes') as string,
    });
    await expect.poll(() => sent[0]?.socket.destroyed).toBe(true);
  });

  it.each([
    ['within the answer', [WORD, { error: { message: 'Overloaded', code: 502 } }], 'model_interrupted'],
    ['before the answer', [{ error: { message: 'Overloaded', code: 502 } }], 'model_unavailable'],
  ])(
    'the OpenAI-compatible client rejects with the message and a failure code if an error event arrives %s',
    async (_, events, code) => {
      respond = (response) => sendEvents(response, ...events).end();
      const reading = readModel(openModel(), createChatCall('x'));
      await expect(reading).rejects.toMatchObject({ code, message: 'test/model: Overloaded' });
    },
  );

  it.each([
    [429, 'Slow down', { code: 'model_rate_limited', isRetryable: true }],
    ['429', 'Slow down', { code: 'model_rate_limited', isRetryable: true }],
    [401, 'No such key', { code: 'model_refused', isRetryable: false }],
    [400, 'The context length is 8192 tokens', { code: 'context_too_long', isRetryable: false }],
    [408, 'Too slow', { code: 'model_timeout', isRetryable: true }],
    [7, 'Overloaded', { code: 'model_unavailable', isRetryable: true }],
    ['server_error', 'Overloaded', { code: 'model_unavailable', isRetryable: true }],
  ])(
    'the OpenAI-compatible client converts an error event with the code %j and the message %j like an error response with this status',
    async (code, message, expected) => {
      respond = (response) => sendEvents(response, { error: { code, message } }).end();
      await expect(readModel(openModel(), createChatCall('x'))).rejects.toMatchObject(expected);
    },
  );

  it('the OpenAI-compatible client reads an empty finish reason as none', async () => {
    const unfinished = { choices: [{ index: 0, delta: { content: 'Yes' }, finish_reason: '' }] };
    respond = (response) => sendEvents(response, unfinished).end();
    await expect(readModel(openModel(), createChatCall('x'))).rejects.toMatchObject({ code: 'model_interrupted' });
    respond = (response) => sendEvents(response, WORD, STOP, { choices: unfinished.choices }, '[DONE]').end();
    expect((await readModel(openModel(), createChatCall('x'))).texts.join('')).toBe('YesYes');
  });

  it('a provider model reports `model_interrupted` if an OpenAI-compatible server aborts the answer', async () => {
    const aborted = { choices: [{ index: 0, delta: {}, finish_reason: 'abort' }] };
    respond = (response) => sendEvents(response, WORD, aborted, '[DONE]').end();
    await expect(readModel(openModel(), createChatCall('x'))).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it('a provider model adds the note `answer_truncated` if an answer reached the context window of the model', async () => {
    const truncated = { choices: [{ index: 0, delta: {}, finish_reason: 'model_length' }] };
    respond = (response) => sendEvents(response, WORD, truncated, '[DONE]').end();
    expect((await readModel(openModel(), createChatCall('x'))).notes).toEqual(['answer_truncated']);
  });

  it.each([
    ['an HTML page', '<h1>Not here</h1>', 404, { code: 'model_refused', message: 'test/model: 404 <h1>Not here</h1>' }],
    ['no text', '', 503, { code: 'model_unavailable', message: 'test/model: 503 no text' }],
    [
      'the code of a prompt that is too long',
      JSON.stringify({ error: { message: 'Too much.', code: 'context_length_exceeded' } }),
      400,
      { code: 'context_too_long' },
    ],
    [
      'the code of an exhausted quota',
      JSON.stringify({ error: { message: 'No credit.', code: 'insufficient_quota' } }),
      429,
      { code: 'model_rate_limited', isRetryable: false },
    ],
  ])(
    'the OpenAI-compatible client converts an error response to a failure code, for a body with %s',
    async (_, text, status, expected) => {
      respond = (response) => response.writeHead(status).end(text);
      await expect(readModel(openModel(), createChatCall('x'))).rejects.toMatchObject(expected);
    },
  );

  it('the OpenAI-compatible client reads only the beginning of the body of an error response', async () => {
    const chunks = Readable.from(Array.from({ length: 1_024 }, () => 'Overloaded '.repeat(5_000)));
    const closed = Promise.withResolvers<unknown>();
    respond = (response) => void chunks.pipe(response.writeHead(500).once('close', closed.resolve));
    const failure: unknown = await readModel(openModel(), createChatCall('x')).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/test\/model: 500 Overloaded Overloaded/);
    expect(String(failure).length).toBeLessThan(100_000);
    await closed.promise;
    expect(chunks.readableEnded).toBe(false);
  });

  it.each([
    ['gpt-4o', 'system', 'max_tokens'],
    ['o3-mini', 'developer', 'max_completion_tokens'],
    ['gpt-5', 'developer', 'max_completion_tokens'],
    ['gpt-5-chat-latest', 'system', 'max_tokens'],
  ])(
    'the OpenAI-compatible client sends the instructions and the token limit in the fields that the model %s requires',
    async (name, role, limit) => {
      respond = (response) => sendEvents(response, WORD, STOP, '[DONE]').end();
      await readModel(openModel(name), createChatCall('x', { settings: { maxTokens: 7 } }));
      expect(sent[0]?.body).toMatchObject({ model: name, [limit]: 7, messages: [{ role }, { role: 'user' }] });
    },
  );

  it('the OpenAI-compatible client adds `chat/completions` to a base URL that ends with a slash', async () => {
    respond = (response) => sendEvents(response, WORD, STOP, '[DONE]').end();
    await readModel(openModel('m', '/openai/v1/'), createChatCall('x'));
    expect(sent[0]?.path).toBe('/openai/v1/chat/completions');
  });

  it('if `NODE_USE_ENV_PROXY` is set, the OpenAI-compatible client calls the server through the proxy in `http_proxy`', async () => {
    const requested: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      requested.push(request.url);
      sendEvents(response, WORD, STOP, '[DONE]').end();
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo; // listens on a port
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    vi.stubEnv('http_proxy', `http://127.0.0.1:${port}`);
    vi.stubEnv('no_proxy', '');
    onTestFinished(() => {
      vi.unstubAllEnvs();
      proxy.close();
      proxy.closeAllConnections();
    });
    const connect = connectOpenAiCompatible({ baseUrl: 'http://provider.example:8080/v1', apiKey: 'k' });
    await readModel(createProviderModel('test/model', connect('m')), createChatCall('x'));
    expect(requested).toEqual(['http://provider.example:8080/v1/chat/completions']);
  });
});
