import type { AnswerEvent, ConversationResponse, MessageResponse, Page } from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, messages } from '../database/tables/conversations.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { createAgent, getStringField } from '../testing/create-resources.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

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
const answerYes = (): AsyncIterable<AnswerEvent> => streamEvents([buildCompletedEvent('Yes.')]);
afterEach(() => {
  test.query.answer = answerYes;
});

const askAgent = async (body: object, id = agent) =>
  tenant.api.post(`/api/agents/${id}/query`).send({ query: 'q', ...body });
const startConversation = async (body: object = {}, id = agent) =>
  getStringField(await askAgent(body, id), 'conversationId');

async function listConversations(query = '', api: Api = tenant.api): Promise<Page<ConversationResponse>> {
  const response = await api.get(`/api/conversations${query}`);
  expectDocumented(response, 'get', '/conversations');
  return response.body as Page<ConversationResponse>; // as documented
}
async function listConversationIds(query = '', api: Api = tenant.api): Promise<string[]> {
  return (await listConversations(query, api)).items.map(({ id }) => id);
}
async function listMessages(id: string, query = ''): Promise<Page<MessageResponse>> {
  const response = await tenant.api.get(`/api/conversations/${id}/messages${query}`);
  expectDocumented(response, 'get', '/conversations/{id}/messages');
  return response.body as Page<MessageResponse>; // as documented
}

describe('GET /api/conversations', () => {
  it('GET /api/conversations lists conversations newest first, page by page, and filters them by agent and visitor', async () => {
    const other = await createAgent(tenant.api);
    const first = await startConversation({ visitorId: 'ann' });
    const second = await startConversation({ visitorId: 'bob' });
    const third = await startConversation({ visitorId: 'ann' }, other);
    expect(await listConversationIds()).toEqual([third, second, first]);
    expect(await listConversationIds(`?agentId=${agent}`)).toEqual([second, first]);
    expect(await listConversationIds('?visitorId=ann')).toEqual([third, first]);
    expect(await listConversationIds(`?visitorId=ann&agentId=${other}`)).toEqual([third]);
    expect(await listConversationIds('?visitorId=nobody')).toEqual([]);
    const page = await listConversations('?limit=2');
    expect(page.items.map(({ id }) => id)).toEqual([third, second]);
    expect(await listConversations(`?limit=2&cursor=${page.next_cursor ?? ''}`)).toMatchObject({
      items: [{ id: first, agentId: agent, visitorId: 'ann', turns: 1 }],
      next_cursor: null,
    });
  });

  it('GET /api/conversations finds a conversation by each of its visitors, and returns the first visitor', async () => {
    const id = await startConversation({ visitorId: 'ann' });
    await askAgent({ conversationId: id, visitorId: 'bob' });
    expect((await listConversations('?visitorId=bob')).items).toMatchObject([{ id, visitorId: 'ann', turns: 2 }]);
  });

  it('GET /api/conversations returns the beginning of the first question, even after later questions', async () => {
    const long = `Is it ${'😀'.repeat(400)}?`;
    const id = await startConversation({ query: long });
    await askAgent({ query: 'And then?', conversationId: id });
    const [listed] = (await listConversations()).items;
    expect(listed).toMatchObject({ id, turns: 2, firstQuestion: `Is it ${'😀'.repeat(294)}` });
  });

  it.each(['limit=0', 'cursor=x', 'agent=1'])('GET /api/conversations refuses the query string ?%s', async (query) => {
    expect((await tenant.api.get(`/api/conversations?${query}`)).status).toBe(400);
  });

  it('GET /api/conversations returns 404 for an unknown agent', async () => {
    expect((await tenant.api.get(`/api/conversations?agentId=${UNKNOWN_ID}`)).status).toBe(404);
  });
});

describe('GET /api/conversations/{id}', () => {
  it('GET /api/conversations/{id} returns a conversation with the same fields as the list', async () => {
    const id = await startConversation();
    const response = await tenant.api.get(`/api/conversations/${id}`);
    expectDocumented(response, 'get', '/conversations/{id}');
    expect(response.body).toEqual((await listConversations()).items[0]);
  });

  it.each(['no-id', UNKNOWN_ID])('GET /api/conversations/{id} returns 404 for the conversation id %s', async (id) => {
    for (const path of [`/api/conversations/${id}`, `/api/conversations/${id}/messages`]) {
      expect((await tenant.api.get(path)).status).toBe(404);
    }
    expect((await tenant.api.delete(`/api/conversations/${id}`)).status).toBe(404);
  });
});

describe('GET /api/conversations/{id}/messages', () => {
  it('GET /api/conversations/{id}/messages returns the messages of a conversation in order, with sources, usage and visitor', async () => {
    const usage = { promptTokens: 30, completionTokens: 4 };
    test.query.answer = () => streamEvents([buildCompletedEvent('Because.', { usage })]);
    const id = await startConversation({ query: 'Why?', visitorId: 'ann' });
    const both = { state: 'complete', sources: [], visitorId: 'ann' };
    expect((await listMessages(id)).items).toMatchObject([
      { ...both, role: 'user', text: 'Why?', usage: null, answeredBy: null },
      { ...both, role: 'assistant', text: 'Because.', usage, answeredBy: 'model' },
    ]);
  });

  it('GET /api/conversations/{id}/messages returns each message exactly once, whatever the page size is', async () => {
    const id = await startConversation({ query: 'one' });
    for (const query of ['two', 'three']) await askAgent({ query, conversationId: id });
    const all = (await listMessages(id)).items.map(({ text }) => text);
    expect(all).toEqual(['one', 'Yes.', 'two', 'Yes.', 'three', 'Yes.']);
    for (const limit of [1, 2, 4, 6]) {
      const texts: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page<MessageResponse> = await listMessages(id, `?limit=${limit}&cursor=${cursor}`);
        texts.push(...page.items.map(({ text }) => text));
        cursor = page.next_cursor;
      }
      expect(texts).toEqual(all);
    }
  });

  it('GET /api/conversations/{id}/messages?order=desc returns the newest messages first, and each exactly once, whatever the page size is', async () => {
    const id = await startConversation({ query: 'one' });
    await askAgent({ query: 'two', conversationId: id });
    const oldestFirst = (await listMessages(id, '?order=asc')).items.map((message) => message.id);
    for (const limit of [1, 3, 4]) {
      const ids: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page<MessageResponse> = await listMessages(id, `?order=desc&limit=${limit}&cursor=${cursor}`);
        ids.push(...page.items.map((message) => message.id));
        cursor = page.next_cursor;
      }
      expect(ids).toEqual(oldestFirst.toReversed());
    }
  });

  it.each(['asc', 'desc'])(
    'GET /api/conversations/{id}/messages?order=%s continues after a message that was deleted meanwhile',
    async (order) => {
      const id = await startConversation({ query: 'one' });
      for (const query of ['two', 'three']) await askAgent({ query, conversationId: id });
      const first = await listMessages(id, `?order=${order}&limit=3`);
      const expected = (await listMessages(id, `?order=${order}`)).items.slice(3);
      await test.gateway.db.delete(messages).where(eq(messages.id, first.items[2]?.id ?? ''));
      const second = await listMessages(id, `?order=${order}&cursor=${first.next_cursor ?? ''}`);
      expect(second).toEqual({ items: expected, next_cursor: null });
    },
  );

  it('GET /api/conversations/{id}/messages refuses the cursor of another list', async () => {
    const id = await startConversation();
    const cursor = Buffer.from(id).toString('base64url');
    const refused = await tenant.api.get(`/api/conversations/${id}/messages?cursor=${cursor}`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });

  it('GET /api/conversations/{id}/messages returns each of two parallel questions directly before its answer, and skips no message between pages', async () => {
    const id = await startConversation({ query: 'zero' });
    const slow = Promise.withResolvers<undefined>();
    test.query.answer = async function* ({ query }) {
      if (query === 'slow') await slow.promise;
      yield buildCompletedEvent(`answer to ${query}`);
    };
    const asked = test.query.questions.length;
    const first = askAgent({ query: 'slow', conversationId: id });
    await expectEventually(() => test.query.questions.length).toBe(asked + 1);
    await askAgent({ query: 'fast', conversationId: id });
    expect((await listConversations()).items).toMatchObject([{ turns: 3 }]);
    const before = await listMessages(id, '?limit=3');
    slow.resolve(undefined);
    await first;
    const after = await listMessages(id, `?cursor=${before.next_cursor ?? ''}`);
    const texts = [...before.items, ...after.items].map(({ text }) => text);
    expect(texts).toEqual(['zero', 'Yes.', 'fast', 'answer to fast', 'slow', 'answer to slow']);
    expect((await listMessages(id)).items.map(({ text }) => text)).toEqual(texts);
  });

  it('if a turn waits for the lock of its conversation, its messages get consecutive `place` values above the value that the lock holder took', async () => {
    const id = await startConversation();
    const end = Promise.withResolvers<undefined>();
    test.query.answer = async function* () {
      await end.promise;
      yield buildCompletedEvent('Late.');
    };
    const opened = test.query.questions.length;
    const asked = askAgent({ conversationId: id });
    await expectEventually(() => test.query.questions.length).toBe(opened + 1);
    const { db } = test.gateway;
    const place = sql<number>`nextval('quarry.messages_place_seq')::int`;
    const earlier = await db.transaction(async (transaction) => {
      await transaction.select().from(conversations).where(eq(conversations.id, id)).for('update');
      end.resolve(undefined);
      const waiting = sql`pg_stat_activity where wait_event_type = 'Lock'`;
      await expectEventually(async () => db.$count(waiting)).toBe(1);
      const [row] = await transaction.select({ place }).from(conversations).where(eq(conversations.id, id));
      return row?.place;
    });
    await asked;
    const stored = await db
      .select()
      .from(messages)
      .where(and(eq(messages.conversationId, id), eq(messages.turn, 2)));
    expect(stored.map((message) => message.place)).toEqual([Number(earlier) + 1, Number(earlier) + 2]);
  });

  it('twenty parallel questions in one conversation add twenty turns, in which each answer directly follows its question', async () => {
    const id = await startConversation();
    await Promise.all(Array.from({ length: 20 }, async (_, n) => askAgent({ query: `q${n}`, conversationId: id })));
    expect((await listConversations()).items).toMatchObject([{ turns: 21 }]);
    const { items } = await listMessages(id);
    expect(items.map(({ role }) => role)).toEqual(items.map((_, n) => (n % 2 === 0 ? 'user' : 'assistant')));
    expect(items).toHaveLength(42);
  });

  it('GET /api/conversations/{id}/messages returns the partial text of a failed answer as a message', async () => {
    const conversationId = await startConversation();
    test.query.answer = () =>
      streamEvents([
        { type: 'delta', text: 'Half' },
        { type: 'failed', code: 'model_unavailable', message: 'Gone.' },
      ]);
    expect((await askAgent({ conversationId })).status).toBe(503);
    expect((await listMessages(conversationId)).items.slice(2)).toMatchObject([
      { role: 'user', state: 'failed' },
      { role: 'assistant', state: 'failed', text: 'Half', usage: null },
    ]);
  });
});

describe('DELETE /api/conversations/{id}', () => {
  it('DELETE /api/conversations/{id} deletes a conversation with its messages, and returns 404 for that conversation afterwards', async () => {
    const id = await startConversation();
    const removed = await tenant.api.delete(`/api/conversations/${id}`);
    expectDocumented(removed, 'delete', '/conversations/{id}');
    expect(removed.status).toBe(204);
    expect((await tenant.api.get(`/api/conversations/${id}/messages`)).status).toBe(404);
    expect((await askAgent({ conversationId: id })).status).toBe(404);
    expect(await listConversationIds()).toEqual([]);
  });

  it.each(['conversation', 'agent'])(
    'neither the question nor the answer is stored if the %s is deleted while the model answers',
    async (what) => {
      const conversationId = await startConversation();
      const slow = Promise.withResolvers<undefined>();
      test.query.answer = async function* () {
        await slow.promise;
        yield buildCompletedEvent('late');
      };
      const asked = test.query.questions.length;
      const answers = Promise.all([askAgent({ conversationId }), askAgent({})]);
      await expectEventually(() => test.query.questions.length).toBe(asked + 2);
      await tenant.api.delete(what === 'agent' ? `/api/agents/${agent}` : `/api/conversations/${conversationId}`);
      slow.resolve(undefined);
      expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
      expect(await listConversationIds()).toHaveLength(what === 'agent' ? 0 : 1);
      expect(await listConversationIds()).not.toContain(conversationId);
    },
  );
});

describe('access to conversations', () => {
  it('an API key that is limited to agents can read only the conversations of those agents', async () => {
    const other = await createAgent(tenant.api);
    const mine = await startConversation();
    const others = await startConversation({}, other);
    const { key } = await tenant.addKey({ agentIds: [agent] });
    const api = test.createApi(key);
    expect(await listConversationIds('', api)).toEqual([mine]);
    expect((await api.get(`/api/conversations?agentId=${other}`)).status).toBe(404);
    expect((await api.get(`/api/conversations/${mine}/messages`)).status).toBe(200);
    expect((await api.get(`/api/conversations/${others}`)).status).toBe(404);
    expect((await api.get(`/api/conversations/${others}/messages`)).status).toBe(404);
    expect((await api.delete(`/api/conversations/${others}`)).status).toBe(404);
    const datastoreKey = await tenant.addKey({ datastoreIds: [UNKNOWN_ID] });
    expect(await listConversationIds('', test.createApi(datastoreKey.key))).toEqual([]);
  });

  it('an API key with only the scope `query` can read the messages of a conversation, but can neither list nor delete conversations', async () => {
    const id = await startConversation();
    const api = test.createApi((await tenant.addKey({ scopes: ['query'] })).key);
    expect((await api.get('/api/conversations')).status).toBe(403);
    expect((await api.get(`/api/conversations/${id}/messages`)).status).toBe(200);
    expect((await api.delete(`/api/conversations/${id}`)).status).toBe(403);
  });

  it('requests for conversations of another organization return 404', async () => {
    const id = await startConversation();
    const { api } = await test.createTenant();
    expect(await listConversationIds('', api)).toEqual([]);
    expect((await api.get(`/api/conversations/${id}`)).status).toBe(404);
    expect((await api.get(`/api/conversations/${id}/messages`)).status).toBe(404);
    expect((await api.delete(`/api/conversations/${id}`)).status).toBe(404);
    expect((await tenant.api.get(`/api/conversations/${id}`)).status).toBe(200);
  });
});
