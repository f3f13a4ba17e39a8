import type { ConversationResponse, MessageResponse, Page } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations } from '../database/tables/conversations.js';
import { problem } from '../problems.js';
import { createAgent } from '../testing/create-resources.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { openStream, type StreamClient } from '../testing/open-stream.js';
import { type Script, scriptAnswers } from '../testing/script-answers.js';
import { type Api, startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { runWatchdog } from '../watchdog/watchdog.js';

const DAY_MS = 86_400_000;

/** Two gateways with the same database. The tests move the clock of `test`. */
let test: TestGateway;
let other: TestGateway;
let tenant: Tenant;
let otherApi: Api;
let agent: string;
let clockOffsetMs = 0;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => new Date(Date.now() + clockOffsetMs) });
  other = await startTestGateway({ database: test.context.database });
}, 60_000);
afterAll(async () => {
  await other.close();
  await test.close();
});
beforeEach(async () => {
  clockOffsetMs = 0;
  tenant = await test.createTenant();
  otherApi = other.createApi(tenant.key);
  agent = await createAgent(tenant.api);
});
afterEach(async () => {
  test.gateway.answers.abortAll(problem('service_stopping', 'The test has ended.'));
  await test.gateway.answers.waitUntilDone();
  for (const gateway of [test, other]) gateway.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
});

/** Starts the first answer of a conversation. Its client has received the beginning of the text. */
async function startFirstAnswer(
  resumable = true,
): Promise<{ readonly script: Script; readonly client: StreamClient; path: string }> {
  const script = scriptAnswers(test);
  const client = await openStream(test, {
    ...{ key: tenant.key, method: 'POST', path: `/api/agents/${agent}/query` },
    body: { query: 'First?', streaming: true, resumable, visitorId: 'ann' },
  });
  script.send('We open.');
  await expectEventually(client.getText).toBe('We open');
  return { script, client, path: `/api/conversations/${client.conversationId}` };
}

const ask = async (body: object, api = tenant.api) =>
  api.post(`/api/agents/${agent}/query`).send({ query: 'Second?', ...body });

async function listConversationIds(): Promise<readonly string[]> {
  const response = await tenant.api.get('/api/conversations');
  return (response.body as Page<ConversationResponse>).items.map(({ id }) => id); // as documented
}
async function listTexts(path: string): Promise<readonly string[]> {
  const response = await tenant.api.get(`${path}/messages`);
  return (response.body as Page<MessageResponse>).items.map(({ text }) => text); // as documented
}

describe('a conversation whose first answer is being streamed', () => {
  it('a conversation can be read without messages during its first resumable answer, but is not listed before the answer has ended', async () => {
    const { script, client, path } = await startFirstAnswer();
    for (const api of [tenant.api, otherApi]) {
      const response = await api.get(path);
      expectDocumented(response, 'get', '/conversations/{id}');
      expect(response.body).toMatchObject({
        turns: 1,
        messages: 0,
        visitorId: 'ann',
        firstQuestion: '',
        unanswered: 0,
      });
      expect((await api.get(`${path}/messages`)).body).toMatchObject({ items: [], next_cursor: null });
    }
    expect(await listConversationIds()).toEqual([]);
    script.complete();
    await client.ended;
    expect(await listConversationIds()).toEqual([client.conversationId]);
    expect((await tenant.api.get(path)).body).toMatchObject({ turns: 1, messages: 2, visitorId: 'ann', unanswered: 1 });
  });

  it('a question in a conversation whose first answer is being streamed is answered as if the conversation had no messages, also by another gateway', async () => {
    const { script, client, path } = await startFirstAnswer();
    const { conversationId } = client;
    const answered = await ask({ conversationId }, otherApi);
    expect(answered.body).toMatchObject({ conversationId, visitorId: 'ann', answer: 'Yes.' });
    expect(other.query.questions.at(-1)?.history).toEqual([]);
    expect(await listConversationIds()).toEqual([conversationId]);
    script.complete();
    await client.ended;
    expect(await listTexts(path)).toEqual(['Second?', 'Yes.', 'First?', 'We open.']);
    expect((await tenant.api.get(path)).body).toMatchObject({ turns: 2, unanswered: 2, firstQuestion: 'First?' });
  });

  it('a second question in a conversation receives 404 while the first answer is streamed without `resumable: true`, and is answered after that', async () => {
    const { script, client } = await startFirstAnswer(false);
    const { conversationId } = client;
    expect((await ask({ conversationId })).status).toBe(404);
    script.complete();
    await client.ended;
    expect((await ask({ conversationId })).body).toMatchObject({ conversationId });
  });

  it.each(['ann', null])(
    'a conversation in which a gateway of an earlier version stored an answer is listed and continued, first visitor: %s',
    async (firstVisitorId) => {
      const { conversationId } = (await ask({ visitorId: 'ann' })).body as { conversationId: string }; // as documented
      // Earlier versions neither set nor clear these columns.
      const uncleared = { emptySince: new Date(), firstVisitorId };
      await test.gateway.db.update(conversations).set(uncleared).where(eq(conversations.id, conversationId));
      expect(await listConversationIds()).toEqual([conversationId]);
      expect((await tenant.api.get(`/api/conversations/${conversationId}`)).body).toMatchObject({ messages: 2 });
      expect((await ask({ conversationId })).body).toMatchObject({ conversationId, visitorId: 'ann', answer: 'Yes.' });
    },
  );

  it('a conversation whose first answer fails is listed with the failed question', async () => {
    const { script, client, path } = await startFirstAnswer();
    script.fail();
    await client.ended;
    expect(await listConversationIds()).toEqual([client.conversationId]);
    expect((await tenant.api.get(path)).body).toMatchObject({ messages: 2, unanswered: 1, firstQuestion: 'First?' });
  });

  it('deleting a conversation during its first answer ends the answer, and stores neither question nor answer', async () => {
    const { script, client, path } = await startFirstAnswer();
    expect((await otherApi.delete(path)).status).toBe(204);
    await script.aborted;
    await client.ended;
    expect(client.events.at(-1)?.data).toMatch(/^\[ERROR\] not_found: /);
    expect((await tenant.api.get(path)).status).toBe(404);
    expect((await ask({ conversationId: client.conversationId })).status).toBe(404);
    expect(await listConversationIds()).toEqual([]);
  });

  it('other organizations and keys that cannot access the agent receive 404 for a conversation whose first answer is being streamed', async () => {
    const { path } = await startFirstAnswer();
    const limited = await tenant.addKey({ agentIds: [await createAgent(tenant.api)] });
    const { api } = await test.createTenant();
    for (const stranger of [api, test.createApi(limited.key)]) expect((await stranger.get(path)).status).toBe(404);
  });

  it('the watchdog removes a conversation without messages a day after its first question, and not before', async () => {
    const { client } = await startFirstAnswer();
    const { db } = test.gateway;
    const countStored = async () => db.$count(conversations, eq(conversations.id, client.conversationId));
    clockOffsetMs = DAY_MS - 60_000;
    await runWatchdog(test.gateway);
    expect(await countStored()).toBe(1);
    clockOffsetMs = DAY_MS + 60_000;
    await runWatchdog(test.gateway);
    expect(await countStored()).toBe(0);
  });
});

describe('a conversation whose only response is deleted', () => {
  const postResponse = async (body: object) =>
    tenant.api.post('/v1/responses').send({ model: `agent:${agent}`, input: 'First?', ...body });

  it('an answer that is in progress when the only stored response of its conversation is deleted is stored in the conversation', async () => {
    const first = (await postResponse({})).body as { id: string; conversation: { id: string } }; // as documented
    const conversationId = first.conversation.id.slice('conv_'.length);
    const path = `/api/conversations/${conversationId}`;
    const script = scriptAnswers(test);
    const asked = test.query.questions.length;
    const answering = postResponse({ input: 'Second?', previous_response_id: first.id }).then((response) => response);
    await expectEventually(() => test.query.questions.length).toBe(asked + 1);
    expect((await tenant.api.delete(`/v1/responses/${first.id}`)).status).toBe(200);
    expect((await tenant.api.get(path)).status).toBe(404);
    expect((await ask({ conversationId })).status).toBe(404);
    expect(await listConversationIds()).toEqual([]);
    script.send('Late.');
    script.complete();
    const second = (await answering).body as { id: string }; // as documented
    expect(await listTexts(path)).toEqual(['Second?', 'Late.']);
    expect((await tenant.api.get(path)).body).toMatchObject({ messages: 2, unanswered: 1, firstQuestion: 'Second?' });
    expect((await postResponse({ previous_response_id: second.id })).status).toBe(200);
  });

  it('the watchdog removes a conversation without responses after a day', async () => {
    const { id, conversation } = (await postResponse({})).body as { id: string; conversation: { id: string } };
    await tenant.api.delete(`/v1/responses/${id}`);
    const isThis = eq(conversations.id, conversation.id.slice('conv_'.length));
    clockOffsetMs = DAY_MS + 60_000;
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(conversations, isThis)).toBe(0);
  });
});
