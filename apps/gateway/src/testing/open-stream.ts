import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { TestGateway } from './start-test-gateway.js';

/** A client of an event stream, and the events that it has received. */
export interface StreamClient {
  readonly response: IncomingMessage;
  readonly events: EventSourceMessage[];
  readonly conversationId: string;
  readonly messageId: string;
  readonly getText: () => string;
  readonly getLastId: () => string;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<unknown>;
  readonly disconnect: () => void;
}

export interface StreamRequest {
  readonly key: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Sends a request, and collects the server-sent events of its response. Resolves when the headers have arrived. */
export async function openStream(
  { url }: TestGateway,
  { key, method, path, headers, body }: StreamRequest,
): Promise<StreamClient> {
  const auth = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const asking = httpRequest(new URL(path, url), { method, headers: { ...auth, ...headers } });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  response.setEncoding('utf8').on('data', (chunk: string) => {
    parser.feed(chunk);
  });
  response.on('error', () => undefined);
  const listAnswers = () => events.filter(({ event }) => event === 'answer');
  return {
    ...{ response, events, ended: once(response, 'close') },
    conversationId: String(response.headers['quarry-conversation-id']),
    messageId: String(response.headers['quarry-message-id']),
    getText: () => listAnswers().reduce((text, { data }) => text + data, ''),
    getLastId: () => listAnswers().at(-1)?.id ?? '0',
    disconnect: () => response.destroy(),
  };
}
