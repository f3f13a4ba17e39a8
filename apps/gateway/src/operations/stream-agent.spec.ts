import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AnswerEvent } from '@quarry/contracts';
import { asc, eq } from 'drizzle-orm';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { messages } from '../database/tables/conversations.js';
import { problem } from '../problems.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { createAgent } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

let test: TestGateway;
let tenant: Tenant;
let agent: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.createTenant();
  agent = await createAgent(tenant.api);
});
afterEach(() => {
  test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
});

/** Asks a question with a streamed answer. @returns the response as soon as its headers arrive */
async function openStream(body: object = {}): Promise<IncomingMessage> {
  const asking = httpRequest(new URL(`/api/agents/${agent}/query`, test.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
  });
  asking.end(JSON.stringify({ query: 'Why?', streaming: true, ...body }));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

async function readEvents(response: IncomingMessage): Promise<readonly EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  response.setEncoding('utf8');
  for await (const chunk of response) parser.feed(String(chunk));
  return events;
}

function joinData(events: readonly EventSourceMessage[], name: string): string {
  return events.flatMap(({ event, data }) => (event === name ? [data] : [])).join('');
}

async function loadMessages(conversationId: string) {
  const ofConversation = eq(messages.conversationId, conversationId);
  return test.gateway.db.select().from(messages).where(ofConversation).orderBy(asc(messages.turn), asc(messages.role));
}

async function loadLatestMessages() {
  const own = eq(messages.organizationId, tenant.organizationId);
  return test.gateway.db.select().from(messages).where(own).orderBy(asc(messages.turn), asc(messages.role));
}

describe('a streamed answer', () => {
  it('a streamed answer consists of the pieces of its text, then the response, then [DONE]', async () => {
    const pieces = ['The price\n', 'is 50 % — ', ' “😀”', '\r\n', 'end'];
    const answer = pieces.join('');
    test.query.answer = () =>
      streamEvents([...pieces.map((text) => ({ type: 'delta', text }) as const), buildCompletedEvent(answer)]);
    const response = await openStream();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': expect.stringContaining('no-cache') as unknown,
      'x-accel-buffering': 'no',
    });
    const events = await readEvents(response);
    expect(joinData(events, 'answer')).toBe(answer.replaceAll('\r\n', '\n'));
    const whole = JSON.parse(joinData(events, 'endpoint_response')) as { conversationId: string; messageId: string };
    expect(whole).toMatchObject({ answer, sources: [], visitorId: expect.any(String) as unknown, answeredBy: 'model' });
    expect(events.at(-1)).toMatchObject({ event: undefined, data: '[DONE]' });
    const names = events.map(({ event }) => event);
    expect(new Set(names.slice(0, -2))).toEqual(new Set(['answer']));
    expect(names.slice(-2)).toEqual(['endpoint_response', undefined]);
    expect(await loadMessages(whole.conversationId)).toMatchObject([
      { id: whole.messageId, text: answer },
      { text: 'Why?' },
    ]);
  });

  it('the headers of a stream are sent when the query service accepts the question, before the first text', async () => {
    const word = Promise.withResolvers<undefined>();
    test.query.answer = async function* () {
      await word.promise;
      yield buildCompletedEvent('late');
    };
    const response = await openStream();
    expect(response.statusCode).toBe(200);
    word.resolve(undefined);
    expect((await readEvents(response)).at(-1)?.data).toBe('[DONE]');
  });

  it('a streamed answer is stored before its stream ends, so that the history of the next question includes it', async () => {
    const events = await readEvents(await openStream());
    const { conversationId } = JSON.parse(joinData(events, 'endpoint_response')) as { conversationId: string };
    await readEvents(await openStream({ conversationId, query: 'And?' }));
    expect(test.query.questions.at(-1)?.history).toEqual([
      { role: 'user', text: 'Why?' },
      { role: 'assistant', text: 'Yes.' },
    ]);
  });

  it('a stream ends with [ERROR] when the model fails during the answer', async () => {
    test.query.answer = () =>
      streamEvents([
        { type: 'delta', text: 'Half' },
        { type: 'failed', code: 'model_unavailable', message: 'It went\naway.' },
      ]);
    const events = await readEvents(await openStream());
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['answer', 'Hal'],
      ['answer', 'f'],
      [undefined, '[ERROR] model_unavailable: It went away.'],
    ]);
    expect(await loadLatestMessages()).toMatchObject([{ text: 'Half', state: 'failed' }, { text: 'Why?' }]);
  });

  it('a stream ends with [ERROR] when the query service fails during the answer', async () => {
    test.query.answer = async function* () {
      yield { type: 'delta', text: 'Half' };
      throw new Error('crashed');
    };
    expect((await readEvents(await openStream())).at(-1)?.data).toMatch(/^\[ERROR\] dependency_unavailable: /);
  });

  it.each([
    ['an agent', () => `/api/agents/${agent}/query`, { query: 'Why?', streaming: true }],
    ['an agent, resumable', () => `/api/agents/${agent}/query`, { query: 'Why?', streaming: true, resumable: true }],
    ['chat completions', () => '/v1/chat/completions', { messages: [{ role: 'user', content: 'Why?' }], stream: true }],
  ])('the log contains the error of a failed streamed answer (%s)', async (_surface, getPath, body) => {
    test.query.answer = async function* () {
      yield { type: 'delta', text: 'Half' };
      throw new Error('crashed');
    };
    const response = await tenant.api.post(getPath()).send({ model: `agent:${agent}`, ...body });
    expect(response.status).toBe(200);
    const logged = test.logged.filter((line) => line.includes(String(response.headers['x-request-id'])));
    expect(logged.join('')).toMatch(/"message":"other side closed".*"msg":"a streamed answer failed"/);
  });

  it('if the client of a stream disconnects, the gateway stops the model and stores the partial answer', async () => {
    const aborted = Promise.withResolvers<undefined>();
    test.query.answer = async function* (_request, signal): AsyncGenerator<AnswerEvent> {
      yield { type: 'delta', text: 'So far' };
      await once(signal, 'abort');
      aborted.resolve(undefined);
    };
    const response = await openStream();
    await once(response, 'data');
    response.destroy();
    await aborted.promise;
    await expectEventually(loadLatestMessages).toMatchObject([
      { text: 'So far', state: 'interrupted' },
      { text: 'Why?' },
    ]);
  });

  it('if a client that requested no stream disconnects, the gateway stops the model and stores the partial answer', async () => {
    const aborted = Promise.withResolvers<undefined>();
    test.query.answer = async function* (_request, signal): AsyncGenerator<AnswerEvent> {
      yield { type: 'delta', text: 'So far' };
      await once(signal, 'abort');
      aborted.resolve(undefined);
    };
    const connection = new AbortController();
    const asked = test.query.questions.length;
    const response = fetch(new URL(`/api/agents/${agent}/query`, test.url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'Why?' }),
      signal: connection.signal,
    });
    await expectEventually(() => test.query.questions.length).toBe(asked + 1);
    connection.abort();
    await expect(response).rejects.toThrow();
    await aborted.promise;
    await expectEventually(loadLatestMessages).toMatchObject([{ state: 'interrupted' }, { text: 'Why?' }]);
  });

  it('a stream ends with [ERROR] when the gateway stops', async () => {
    test.query.answer = async function* (_request, signal): AsyncGenerator<AnswerEvent> {
      yield { type: 'delta', text: 'So far' };
      await once(signal, 'abort');
    };
    const response = await openStream();
    const events = readEvents(response);
    await expectEventually(() => test.query.questions.length).toBeGreaterThan(0);
    test.gateway.answers.abortAll(problem('service_stopping', 'The service is stopping. Ask again.'));
    expect((await events).at(-1)?.data).toBe('[ERROR] service_stopping: The service is stopping. Ask again.');
    await test.gateway.answers.waitUntilDone();
    expect(await loadLatestMessages()).toMatchObject([{ state: 'interrupted' }, { text: 'Why?' }]);
  });

  it('while a slow client does not read a stream, the gateway stops reading the answer from the query service', async () => {
    const TOTAL = 200;
    const text = 'x'.repeat(100_000);
    let given = 0;
    test.query.answer = async function* (): AsyncGenerator<AnswerEvent> {
      for (; given < TOTAL; given += 1) {
        yield { type: 'delta', text };
        await new Promise(setImmediate);
      }
      yield buildCompletedEvent('All of it.');
    };
    const response = await openStream();
    let before = -1;
    const hasStopped = (): boolean => {
      const stopped = given === before;
      before = given;
      return stopped && given > 0;
    };
    await expectEventually(hasStopped).toBe(true);
    expect(given).toBeLessThan(TOTAL);
    const events = await readEvents(response);
    expect(joinData(events, 'answer').length).toBe(TOTAL * text.length);
    expect(events.at(-1)?.data).toBe('[DONE]');
  });
});
