import type { AnswerEvent, ConversationResponse, MessageResponse, Page } from '@quarry/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectDocumented } from '../testing/expect-documented.js';
import { completed, sayAll } from '../testing/fake-query-service.js';
import { eventually } from '../testing/eventually.js';
import { makeAgent, textOf } from '../testing/make.js';
import { startTestGateway, type Api, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const NOWHERE = '00000000-0000-7000-8000-00000000dead';

let test: TestGateway;
let tenant: Tenant;
let agent: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.tenant();
  agent = await makeAgent(tenant.api);
});
const usual = (): AsyncIterable<AnswerEvent> => sayAll([completed('Yes.')]);
afterEach(() => {
  test.query.answer = usual;
});

const ask = async (body: object, id = agent) =>
  tenant.api.post(`/api/agents/${id}/query`).send({ query: 'q', ...body });
const converse = async (body: object = {}, id = agent) => textOf(await ask(body, id), 'conversationId');

async function listed(query = '', api: Api = tenant.api): Promise<Page<ConversationResponse>> {
  const response = await api.get(`/api/conversations${query}`);
  expectDocumented(response, 'get', '/conversations');
  return response.body as Page<ConversationResponse>; // as documented
}
async function idsOf(query = '', api: Api = tenant.api): Promise<string[]> {
  return (await listed(query, api)).items.map(({ id }) => id);
}
async function said(id: string, query = ''): Promise<Page<MessageResponse>> {
  const response = await tenant.api.get(`/api/conversations/${id}/messages${query}`);
  expectDocumented(response, 'get', '/conversations/{id}/messages');
  return response.body as Page<MessageResponse>; // as documented
}

describe('GET /api/conversations', () => {
  it('lists by agent and visitor, newest first, page by page', async () => {
    const other = await makeAgent(tenant.api);
    const first = await converse({ visitorId: 'ann' });
    const second = await converse({ visitorId: 'bob' });
    const third = await converse({ visitorId: 'ann' }, other);
    expect(await idsOf()).toEqual([third, second, first]);
    expect(await idsOf(`?agentId=${agent}`)).toEqual([second, first]);
    expect(await idsOf('?visitorId=ann')).toEqual([third, first]);
    expect(await idsOf(`?visitorId=ann&agentId=${other}`)).toEqual([third]);
    expect(await idsOf('?visitorId=nobody')).toEqual([]);
    const page = await listed('?limit=2');
    expect(page.items.map(({ id }) => id)).toEqual([third, second]);
    expect(await listed(`?limit=2&cursor=${page.next_cursor ?? ''}`)).toMatchObject({
      items: [{ id: first, agentId: agent, visitorId: 'ann', turns: 1 }],
      next_cursor: null,
    });
  });

  it('finds a conversation by each who asked in it, and shows who asked first', async () => {
    const id = await converse({ visitorId: 'ann' });
    await ask({ conversationId: id, visitorId: 'bob' });
    expect((await listed('?visitorId=bob')).items).toMatchObject([{ id, visitorId: 'ann', turns: 2 }]);
  });

  it.each(['limit=0', 'cursor=x', 'agent=1'])('refuses ?%s', async (query) => {
    expect((await tenant.api.get(`/api/conversations?${query}`)).status).toBe(400);
  });

  it('knows no agent that is not there', async () => {
    expect((await tenant.api.get(`/api/conversations?agentId=${NOWHERE}`)).status).toBe(404);
  });
});

describe('GET /api/conversations/{id}', () => {
  it('shows one, as the list does', async () => {
    const id = await converse();
    const response = await tenant.api.get(`/api/conversations/${id}`);
    expectDocumented(response, 'get', '/conversations/{id}');
    expect(response.body).toEqual((await listed()).items[0]);
  });

  it.each(['no-id', NOWHERE])('knows no %s', async (id) => {
    for (const path of [`/api/conversations/${id}`, `/api/conversations/${id}/messages`]) {
      expect((await tenant.api.get(path)).status).toBe(404);
    }
    expect((await tenant.api.delete(`/api/conversations/${id}`)).status).toBe(404);
  });
});

describe('GET /api/conversations/{id}/messages', () => {
  it('shows what was said in order, with sources, usage and who asked', async () => {
    const usage = { promptTokens: 30, completionTokens: 4 };
    test.query.answer = () => sayAll([completed('Because.', { usage })]);
    const id = await converse({ query: 'Why?', visitorId: 'ann' });
    const both = { state: 'complete', sources: [], visitorId: 'ann' };
    expect((await said(id)).items).toMatchObject([
      { ...both, role: 'user', text: 'Why?', usage: null, answeredBy: null },
      { ...both, role: 'assistant', text: 'Because.', usage, answeredBy: 'model' },
    ]);
  });

  it('gives every message once, page by page, whatever the size of a page', async () => {
    const id = await converse({ query: 'one' });
    for (const query of ['two', 'three']) await ask({ query, conversationId: id });
    const all = (await said(id)).items.map(({ text }) => text);
    expect(all).toEqual(['one', 'Yes.', 'two', 'Yes.', 'three', 'Yes.']);
    for (const limit of [1, 2, 4, 6]) {
      const texts: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page<MessageResponse> = await said(id, `?limit=${limit}&cursor=${cursor}`);
        texts.push(...page.items.map(({ text }) => text));
        cursor = page.next_cursor;
      }
      expect(texts).toEqual(all);
    }
  });

  it('keeps questions that are asked at once each with its answer, and none is missed page by page', async () => {
    const id = await converse({ query: 'zero' });
    const slow = Promise.withResolvers<undefined>();
    test.query.answer = async function* ({ query }) {
      if (query === 'slow') await slow.promise;
      yield completed(`answer to ${query}`);
    };
    const asked = test.query.questions.length;
    const first = ask({ query: 'slow', conversationId: id });
    await eventually(() => test.query.questions.length).toBe(asked + 1);
    await ask({ query: 'fast', conversationId: id });
    expect((await listed()).items).toMatchObject([{ turns: 3 }]);
    const before = await said(id, '?limit=3');
    slow.resolve(undefined);
    await first;
    const after = await said(id, `?cursor=${before.next_cursor ?? ''}`);
    const texts = [...before.items, ...after.items].map(({ text }) => text);
    expect(texts).toEqual(['zero', 'Yes.', 'fast', 'answer to fast', 'slow', 'answer to slow']);
    expect((await said(id)).items.map(({ text }) => text)).toEqual(texts);
  });

  it('gives twenty questions at once a turn each', async () => {
    const id = await converse();
    await Promise.all(Array.from({ length: 20 }, async (_, n) => ask({ query: `q${n}`, conversationId: id })));
    expect((await listed()).items).toMatchObject([{ turns: 21 }]);
    const { items } = await said(id);
    expect(items.map(({ role }) => role)).toEqual(items.map((_, n) => (n % 2 === 0 ? 'user' : 'assistant')));
    expect(items).toHaveLength(42);
  });

  it('shows an answer that failed as far as it came', async () => {
    const conversationId = await converse();
    test.query.answer = () =>
      sayAll([
        { type: 'delta', text: 'Half' },
        { type: 'failed', code: 'model_unavailable', message: 'Gone.' },
      ]);
    expect((await ask({ conversationId })).status).toBe(503);
    expect((await said(conversationId)).items.slice(2)).toMatchObject([
      { role: 'user', state: 'failed' },
      { role: 'assistant', state: 'failed', text: 'Half', usage: null },
    ]);
  });
});

describe('DELETE /api/conversations/{id}', () => {
  it('removes it with its messages, and knows it no more', async () => {
    const id = await converse();
    const removed = await tenant.api.delete(`/api/conversations/${id}`);
    expectDocumented(removed, 'delete', '/conversations/{id}');
    expect(removed.status).toBe(204);
    expect((await tenant.api.get(`/api/conversations/${id}/messages`)).status).toBe(404);
    expect((await ask({ conversationId: id })).status).toBe(404);
    expect(await idsOf()).toEqual([]);
  });

  it.each(['conversation', 'agent'])('leaves nothing of an answer whose %s is removed on the way', async (what) => {
    const conversationId = await converse();
    const slow = Promise.withResolvers<undefined>();
    test.query.answer = async function* () {
      await slow.promise;
      yield completed('late');
    };
    const asked = test.query.questions.length;
    const answers = Promise.all([ask({ conversationId }), ask({})]);
    await eventually(() => test.query.questions.length).toBe(asked + 2);
    await tenant.api.delete(what === 'agent' ? `/api/agents/${agent}` : `/api/conversations/${conversationId}`);
    slow.resolve(undefined);
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
    expect(await idsOf()).toHaveLength(what === 'agent' ? 0 : 1);
    expect(await idsOf()).not.toContain(conversationId);
  });
});

describe('who reads conversations', () => {
  it('is a limited key for those of its agents alone', async () => {
    const other = await makeAgent(tenant.api);
    const mine = await converse();
    const others = await converse({}, other);
    const { key } = await tenant.addKey({ agentIds: [agent] });
    const api = test.api(key);
    expect(await idsOf('', api)).toEqual([mine]);
    expect((await api.get(`/api/conversations?agentId=${other}`)).status).toBe(404);
    expect((await api.get(`/api/conversations/${mine}/messages`)).status).toBe(200);
    expect((await api.get(`/api/conversations/${others}`)).status).toBe(404);
    expect((await api.get(`/api/conversations/${others}/messages`)).status).toBe(404);
    expect((await api.delete(`/api/conversations/${others}`)).status).toBe(404);
    const datastoreKey = await tenant.addKey({ datastoreIds: [NOWHERE] });
    expect(await idsOf('', test.api(datastoreKey.key))).toEqual([]);
  });

  it('is a key that may only ask, where it knows the id', async () => {
    const id = await converse();
    const api = test.api((await tenant.addKey({ scopes: ['query'] })).key);
    expect((await api.get('/api/conversations')).status).toBe(403);
    expect((await api.get(`/api/conversations/${id}/messages`)).status).toBe(200);
    expect((await api.delete(`/api/conversations/${id}`)).status).toBe(403);
  });

  it('is nobody of another organization', async () => {
    const id = await converse();
    const { api } = await test.tenant();
    expect(await idsOf('', api)).toEqual([]);
    expect((await api.get(`/api/conversations/${id}`)).status).toBe(404);
    expect((await api.get(`/api/conversations/${id}/messages`)).status).toBe(404);
    expect((await api.delete(`/api/conversations/${id}`)).status).toBe(404);
    expect((await tenant.api.get(`/api/conversations/${id}`)).status).toBe(200);
  });
});
