import type { ConversationResponse, MessageResponse, Page } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { conversations, messages } from '../database/tables/conversations.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { getStringField, createAgent } from '../testing/create-resources.js';
import type { Api } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const SOURCE = {
  ...{
    fragmentId: 'f',
    datasourceId: UNKNOWN_ID,
    documentKey: 'd',
    customId: null,
    source: null,
    page: null,
    rectangles: [],
  },
  ...{ text: 'We open at nine.', score: 0.5, cited: true },
};
const used = setUpTenant();

interface Answer {
  readonly conversationId: string;
  readonly messageId: string;
}

async function askAgent(body: object = {}, agent = used.agent): Promise<Answer> {
  const response = await used.tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q', ...body });
  return {
    conversationId: getStringField(response, 'conversationId'),
    messageId: getStringField(response, 'messageId'),
  };
}

const getFeedbackPath = ({ conversationId, messageId }: Answer): string =>
  `/api/conversations/${conversationId}/messages/${messageId}/feedback`;
const sendRating = async (answer: Answer, body: object, api: Api = used.tenant.api) =>
  api.put(getFeedbackPath(answer)).send(body);

async function listConversations(query = '', api: Api = used.tenant.api): Promise<readonly ConversationResponse[]> {
  const response = await api.get(`/api/conversations${query}`);
  return (response.body as Page<ConversationResponse>).items; // as documented
}
const listIds = async (query: string): Promise<readonly string[]> =>
  (await listConversations(query)).map(({ id }) => id);

async function listMessages({ conversationId }: Answer): Promise<readonly MessageResponse[]> {
  const response = await used.tenant.api.get(`/api/conversations/${conversationId}/messages`);
  return (response.body as Page<MessageResponse>).items; // as documented
}

describe('PUT /api/conversations/{id}/messages/{messageId}/feedback', () => {
  it('PUT /api/conversations/{id}/messages/{messageId}/feedback sets the feedback on an answer, and the message and the counters of the conversation contain that feedback', async () => {
    const answer = await askAgent();
    const body = { rating: 'down', reasons: ['wrong', 'outdated'], comment: ' Since May, it is ten. ' };
    const response = await sendRating(answer, body);
    const feedback = { ...body, comment: 'Since May, it is ten.', updatedAt: expect.any(String) as string };
    expect([response.status, response.body]).toEqual([200, feedback]);
    expect(await listMessages(answer)).toMatchObject([
      { role: 'user', feedback: null },
      { role: 'assistant', feedback: response.body as object },
    ]);
    expect(await listConversations()).toMatchObject([{ messages: 2, feedback: { up: 0, down: 1 } }]);
  });

  it('PUT /api/conversations/{id}/messages/{messageId}/feedback replaces earlier feedback, and counts each answer once', async () => {
    const answer = await askAgent();
    const second = await askAgent({ conversationId: answer.conversationId });
    for (const rating of ['down', 'up', 'up']) await sendRating(answer, { rating });
    await sendRating(second, { rating: 'up', comment: ' ' });
    expect(await listConversations()).toMatchObject([{ turns: 2, messages: 4, feedback: { up: 2, down: 0 } }]);
    expect((await listMessages(second)).at(-1)?.feedback).toMatchObject({ rating: 'up', reasons: [], comment: null });
  });

  it('after simultaneous ratings of two answers of a conversation, the counters of the conversation match the stored ratings', async () => {
    const first = await askAgent();
    const second = await askAgent({ conversationId: first.conversationId });
    const ratings = ['up', 'down', 'up', 'down', 'down'];
    await Promise.all(ratings.flatMap((rating) => [sendRating(first, { rating }), sendRating(second, { rating })]));
    const stored = await listMessages(first);
    const countAnswers = (rating: string): number =>
      stored.filter(({ feedback }) => feedback?.rating === rating).length;
    expect(await listConversations()).toMatchObject([
      { feedback: { up: countAnswers('up'), down: countAnswers('down') } },
    ]);
  });

  it.each([
    {},
    { rating: 'sideways' },
    { rating: 'up', reasons: ['because'] },
    { rating: 'up', reasons: ['wrong', 'wrong'] },
    { rating: 'up', comment: 'x'.repeat(2_001) },
    { rating: 'up', score: 3 },
  ])('PUT /api/conversations/{id}/messages/{messageId}/feedback refuses the body %j', async (body) => {
    expect((await sendRating(await askAgent(), body)).status).toBe(400);
  });

  it('PUT /api/conversations/{id}/messages/{messageId}/feedback returns 404 for a question, for an answer of another conversation and for unknown ids', async () => {
    const answer = await askAgent();
    const [question] = await listMessages(answer);
    const other = await askAgent();
    for (const messageId of [question?.id ?? '', other.messageId, UNKNOWN_ID, 'no-id']) {
      expect((await sendRating({ ...answer, messageId }, { rating: 'up' })).status).toBe(404);
      expect((await used.tenant.api.delete(getFeedbackPath({ ...answer, messageId }))).status).toBe(404);
    }
    expect(await listConversations('?feedback=any')).toEqual([]);
  });

  it('a key with only the scope `query` can rate answers of the agents that it can access', async () => {
    const answer = await askAgent();
    const own = await used.tenant.addKey({ scopes: ['query'], agentIds: [used.agent] });
    const other = await used.tenant.addKey({ scopes: ['query'], agentIds: [await createAgent(used.tenant.api)] });
    expect((await sendRating(answer, { rating: 'up' }, used.test.createApi(own.key))).status).toBe(200);
    expect((await sendRating(answer, { rating: 'down' }, used.test.createApi(other.key))).status).toBe(404);
    expect((await used.test.createApi(own.key).delete(getFeedbackPath(answer))).status).toBe(204);
  });

  it('the response to a preflight request permits web pages of other origins to set and withdraw feedback', async () => {
    const { status, headers } = await used.test
      .createApi()
      .options(getFeedbackPath(await askAgent()))
      .set({
        Origin: 'https://example.org',
        'Access-Control-Request-Method': 'PUT',
      });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(headers['access-control-allow-methods']).toMatch(/PUT.*DELETE/);
  });
});

describe('DELETE /api/conversations/{id}/messages/{messageId}/feedback', () => {
  it('DELETE /api/conversations/{id}/messages/{messageId}/feedback withdraws the feedback, and a repeated request also succeeds', async () => {
    const answer = await askAgent();
    await sendRating(answer, { rating: 'up' });
    for (let time = 0; time < 2; time += 1) {
      expect((await used.tenant.api.delete(getFeedbackPath(answer))).status).toBe(204);
      expect(await listConversations()).toMatchObject([{ feedback: { up: 0, down: 0 } }]);
    }
    expect((await listMessages(answer)).at(-1)?.feedback).toBeNull();
  });

  it('the feedback on an answer is deleted with the conversation', async () => {
    const answer = await askAgent();
    await sendRating(answer, { rating: 'up' });
    await used.tenant.api.delete(`/api/conversations/${answer.conversationId}`);
    expect((await sendRating(answer, { rating: 'up' })).status).toBe(404);
    expect(await used.test.gateway.db.$count(messages, eq(messages.id, answer.messageId))).toBe(0);
  });
});

describe('filters of GET /api/conversations', () => {
  it('the filter `feedback` of GET /api/conversations selects conversations by the ratings of their answers', async () => {
    const [up, down, both, none] = [await askAgent(), await askAgent(), await askAgent(), await askAgent()];
    const second = await askAgent({ conversationId: both.conversationId });
    for (const answer of [up, both]) await sendRating(answer, { rating: 'up' });
    for (const answer of [down, second]) await sendRating(answer, { rating: 'down' });
    const getConversationIds = (...answers: readonly Answer[]) => answers.map(({ conversationId }) => conversationId);
    expect(await listIds('?feedback=up')).toEqual(getConversationIds(both, up));
    expect(await listIds('?feedback=down')).toEqual(getConversationIds(both, down));
    expect(await listIds('?feedback=any')).toEqual(getConversationIds(both, down, up));
    expect(await listIds('?feedback=none')).toEqual(getConversationIds(none));
    const page = await used.tenant.api.get('/api/conversations?feedback=any&limit=2');
    const cursor = getStringField(page, 'next_cursor');
    expect(await listIds(`?feedback=any&limit=2&cursor=${cursor}`)).toEqual(getConversationIds(up));
  });

  it('the filter `unanswered` of GET /api/conversations selects conversations with an answer that failed or cites no source', async () => {
    const askQuestion = async (sources: readonly (typeof SOURCE)[], body: object = {}): Promise<string> => {
      test.answer = () => streamEvents([buildCompletedEvent('Yes.', { sources })]);
      return (await askAgent(body)).conversationId;
    };
    const { query: test } = used.test;
    const datasource = await used.tenant.api.post('/api/datasources').send({
      ...{ datastoreId: used.datastore, type: 'web_page', name: 'page', config: { source_url: 'https://example.com' } },
    });
    const source = { ...SOURCE, datasourceId: getStringField(datasource, 'id') };
    const answered = await askQuestion([source]);
    const uncited = await askQuestion([{ ...source, cited: false }]);
    const empty = await askQuestion([]);
    const later = await askQuestion([source]);
    test.answer = () => streamEvents([{ type: 'failed', code: 'model_unavailable', message: 'Gone.' }]);
    await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q', conversationId: later });
    expect(await listIds('?unanswered=true')).toEqual([later, empty, uncited]);
    expect(await listIds('?unanswered=false')).toEqual([answered]);
    expect((await listConversations()).map(({ unanswered }) => unanswered)).toEqual([1, 1, 1, 0]);
    const list = await listMessages({ conversationId: later, messageId: '' });
    expect(list.map(({ unanswered }) => unanswered)).toEqual([false, false, false, true]);
  });

  it('the filters `createdAfter` (inclusive) and `createdBefore` (exclusive) select conversations by the time at which they began', async () => {
    const first = (await askAgent()).conversationId;
    const second = (await askAgent()).conversationId;
    const third = (await askAgent()).conversationId;
    const hours = [1, 3, 5];
    for (const [at, id] of [first, second, third].entries()) {
      const createdAt = new Date(Date.now() - (hours[at] ?? 0) * 3_600_000);
      await used.test.gateway.db.update(conversations).set({ createdAt }).where(eq(conversations.id, id));
    }
    const formatHoursAgo = (hour: number): string => new Date(Date.now() - hour * 3_600_000).toISOString();
    expect(await listIds(`?createdAfter=${formatHoursAgo(4)}`)).toEqual([second, first]);
    expect(await listIds(`?createdBefore=${formatHoursAgo(2)}`)).toEqual([third, second]);
    expect(await listIds(`?createdAfter=${formatHoursAgo(4)}&createdBefore=${formatHoursAgo(2)}`)).toEqual([second]);
    const [{ createdAt } = { createdAt: '' }] = await listConversations(
      `?createdAfter=${formatHoursAgo(4)}&createdBefore=${formatHoursAgo(2)}`,
    );
    expect(await listIds(`?createdAfter=${createdAt}&createdBefore=${formatHoursAgo(2)}`)).toEqual([second]);
    expect(await listIds(`?createdAfter=${formatHoursAgo(4)}&createdBefore=${createdAt}`)).toEqual([]);
  });

  it('the filter `createdAfter` interprets a time without an offset as UTC', async () => {
    const { conversationId } = await askAgent();
    const [{ createdAt } = { createdAt: '' }] = await listConversations();
    const time = createdAt.slice(0, -1);
    expect(await listIds(`?createdAfter=${time}`)).toEqual([conversationId]);
    expect(await listIds(`?createdBefore=${time}`)).toEqual([]);
    expect(await listIds(`?createdAfter=${time}%2B01:00`)).toEqual([conversationId]);
    expect(await listIds(`?createdAfter=${time}-01:00`)).toEqual([]);
  });

  it.each(['feedback=bad', 'unanswered=maybe', 'createdAfter=yesterday', 'createdBefore=2026-W47'])(
    'GET /api/conversations refuses the query string ?%s',
    async (query) => {
      expect((await used.tenant.api.get(`/api/conversations?${query}`)).status).toBe(400);
    },
  );
});
