import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { LLMock } from '@copilotkit/aimock';

/**
 * Simulates model providers with a local server, which has one base URL per behavior. `hangs` sends one word and then
 * nothing until the client disconnects, and `silent` sends no word at all. `dies` closes the connection after one word.
 * `responds` sends the response set with `respondWith`. `endless` sends one word and then repeats the same bytes until
 * the client disconnects, and `fails` does so with status 500 and no word. `redirects` redirects to `hangs`.
 */
export interface FakeProvider {
  readonly mock: LLMock;
  readonly url: string;
  readonly hangs: string;
  readonly silent: string;
  readonly dies: string;
  readonly responds: string;
  readonly endless: string;
  readonly fails: string;
  readonly redirects: string;
  respondWith(response: ScriptedResponse): void;
  /**
   * Requests to `hangs`, `silent`, `dies` and `responds`, unmodified. The requests that `mock` records have hidden keys
   * and rewritten bodies.
   */
  readonly requests: readonly SentRequest[];
  /** Resolves when a connection to `hangs`, `silent`, `dies` or `responds` closes. */
  waitForDisconnect(): Promise<unknown>;
  close(): Promise<void>;
}

export interface ScriptedResponse {
  /** Words of the answer, each sent in its own event; absent for an answer without text. */
  readonly words?: readonly string[];
  /** Finish reason as the provider names it; absent to end without one, like a response that a proxy cuts off. */
  readonly finishReason?: string;
  /** Raw text that is sent at the start of the response. */
  readonly raw?: string;
}

export interface SentRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 8 });
  const leaving = Promise.withResolvers<undefined>();
  const requests: SentRequest[] = [];
  let scripted: ScriptedResponse = {};
  const startResponse = async (
    request: IncomingMessage,
    response: ServerResponse,
    sendFirst: () => void,
  ): Promise<boolean> => {
    requests.push({ headers: request.headers, body: await json(request) });
    const closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    sendFirst();
    await closed;
    leaving.resolve(undefined);
    return true;
  };
  mock.mount('/hangs', {
    handleRequest: async (request, response, path) =>
      startResponse(request, response, () => {
        sendOneWord(response, path);
      }),
  });
  mock.mount('/silent', {
    handleRequest: async (request, response) => startResponse(request, response, () => undefined),
  });
  mock.mount('/dies', {
    handleRequest: async (request, response, path) =>
      startResponse(request, response, () => {
        sendOneWord(response, path);
        response.socket?.end();
      }),
  });
  mock.mount('/responds', {
    handleRequest: async (request, response, path) =>
      startResponse(request, response, () => {
        const { words = [], finishReason, raw = '' } = scripted;
        if (raw !== '') response.write(raw);
        for (const word of words) sendWord(response, path, word);
        if (finishReason !== undefined) sendFinishReason(response, path, finishReason);
        response.end();
      }),
  });
  mock.mount('/endless', {
    handleRequest: async (request, response, path) =>
      startResponse(request, response, () => {
        sendOneWord(response, path);
        writeForever(response);
      }),
  });
  mock.mount('/fails', {
    handleRequest: async (_request, response) => {
      const closed = once(response, 'close');
      response.writeHead(500);
      writeForever(response);
      await closed;
      return true;
    },
  });
  mock.mount('/redirects', {
    handleRequest: async (_request, response, path) => {
      response.writeHead(307, { location: `${mock.url}/hangs${path}` }).end();
      return Promise.resolve(true);
    },
  });
  await mock.start();
  return {
    ...{
      mock,
      url: mock.url,
      hangs: `${mock.url}/hangs`,
      silent: `${mock.url}/silent`,
      dies: `${mock.url}/dies`,
      responds: `${mock.url}/responds`,
      endless: `${mock.url}/endless`,
      fails: `${mock.url}/fails`,
      redirects: `${mock.url}/redirects`,
      requests,
    },
    respondWith: (response) => {
      scripted = response;
    },
    waitForDisconnect: () => leaving.promise,
    close: () => mock.stop(),
  };
}

/** Writes the same bytes without a line break, as fast as the client reads them, until the client disconnects. */
function writeForever(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
  };
  response.on('drain', write);
  write();
}

function sendOneWord(response: ServerResponse, path: string): void {
  sendWord(response, path, 'One');
}

/** Writes a word in the streaming format of the provider, which the path identifies. */
function sendWord(response: ServerResponse, path: string, text: string): void {
  if (path.includes('/messages')) {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: NO_TOKENS };
    sendData(response, { type: 'message_start', message }, 'message_start');
    const delta = { type: 'text_delta', text };
    sendData(response, { type: 'content_block_delta', index: 0, delta }, 'content_block_delta');
  } else if (path.includes('streamGenerateContent')) {
    sendData(response, { candidates: [{ content: { role: 'model', parts: [{ text }] } }] });
  } else {
    sendData(response, { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text } }] });
  }
}

function sendFinishReason(response: ServerResponse, path: string, reason: string): void {
  if (path.includes('/messages')) {
    sendData(response, { type: 'message_delta', delta: { stop_reason: reason }, usage: NO_TOKENS }, 'message_delta');
    sendData(response, { type: 'message_stop' }, 'message_stop');
  } else if (path.includes('streamGenerateContent')) {
    sendData(response, { candidates: [{ content: { role: 'model', parts: [] }, finishReason: reason }] });
  } else {
    const choices = [{ index: 0, delta: {}, finish_reason: reason }];
    sendData(response, { id: 'c', object: 'chat.completion.chunk', choices });
    response.write('data: [DONE]\n\n');
  }
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

function sendData(response: ServerResponse, data: object, event?: string): void {
  response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
}
