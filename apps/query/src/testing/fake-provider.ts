import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { LLMock } from '@copilotkit/aimock';

/**
 * A model provider on this machine. Under `/hangs` it says one word of an answer and then nothing, under `/silent` it never says
 * anything, until the caller leaves; under `/dies` it closes the connection after its first word.
 */
export interface FakeProvider {
  readonly mock: LLMock;
  readonly url: string;
  readonly hangs: string;
  readonly silent: string;
  readonly dies: string;
  /** Those to these three, as they were sent: the mock hides keys, and writes bodies anew. */
  readonly requests: readonly SentRequest[];
  /** Resolves when a connection of these three is closed. */
  left(): Promise<unknown>;
  close(): Promise<void>;
}

export interface SentRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 8 });
  const leaving = Promise.withResolvers<undefined>();
  const requests: SentRequest[] = [];
  const begin = async (request: IncomingMessage, response: ServerResponse, say: () => void): Promise<boolean> => {
    requests.push({ headers: request.headers, body: await json(request) });
    const closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    say();
    await closed;
    leaving.resolve(undefined);
    return true;
  };
  mock.mount('/hangs', {
    handleRequest: async (request, response, path) =>
      begin(request, response, () => {
        sayOneWord(response, path);
      }),
  });
  mock.mount('/silent', { handleRequest: async (request, response) => begin(request, response, () => undefined) });
  mock.mount('/dies', {
    handleRequest: async (request, response, path) =>
      begin(request, response, () => {
        sayOneWord(response, path);
        response.socket?.end();
      }),
  });
  await mock.start();
  return {
    ...{
      mock,
      url: mock.url,
      hangs: `${mock.url}/hangs`,
      silent: `${mock.url}/silent`,
      dies: `${mock.url}/dies`,
      requests,
    },
    left: () => leaving.promise,
    close: () => mock.stop(),
  };
}

/** In the words of whichever provider has this path. */
function sayOneWord(response: ServerResponse, path: string): void {
  if (path.includes('/messages')) {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: NO_TOKENS };
    send(response, { type: 'message_start', message }, 'message_start');
    const delta = { type: 'text_delta', text: 'One' };
    send(response, { type: 'content_block_delta', index: 0, delta }, 'content_block_delta');
  } else if (path.includes('streamGenerateContent')) {
    send(response, { candidates: [{ content: { role: 'model', parts: [{ text: 'One' }] } }] });
  } else {
    send(response, { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'One' } }] });
  }
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

function send(response: ServerResponse, data: object, event?: string): void {
  response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
}
