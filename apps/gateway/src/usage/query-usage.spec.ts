import { once } from 'node:events';
import type { Response } from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../problems.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const NOVEMBER = new Date('2026-11-21T12:00:00.000Z');
let now = NOVEMBER;
const used = setUpTenant({ clock: () => now });
afterEach(() => {
  now = NOVEMBER;
});

async function setQueryLimit(agentQueriesPerMonth: number | null): Promise<void> {
  const { test, tenant } = used;
  await updateOrganization(test.gateway.db, tenant.organizationId, { limits: { agentQueriesPerMonth } }, now);
}

const askAgent = (body: object = {}): PromiseLike<Response> =>
  used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'Why?', ...body });
const searchDatastore = (): PromiseLike<Response> =>
  used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'why' });

async function getStatus(response: PromiseLike<Response>): Promise<number> {
  return (await response).status;
}

async function getUsedQueries(): Promise<unknown> {
  const { body } = (await used.tenant.api.get('/api/usage')) as { body: { queries: unknown } }; // as documented
  return body.queries;
}

describe('the monthly query limit', () => {
  it('a monthly limit of 100 admits exactly 100 of 200 parallel queries', async () => {
    await setQueryLimit(100);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, number) =>
        getStatus(number % 4 === 3 ? searchDatastore() : askAgent({ streaming: number % 4 === 0 })),
      ),
    );
    const countStatus = (status: number): number => statuses.filter((found) => found === status).length;
    expect([countStatus(200), countStatus(402)]).toEqual([100, 100]);
    expect(await getUsedQueries()).toMatchObject({ used: 100, limit: 100 });
  }, 60_000);

  it.each([
    ['a query of an agent', () => askAgent()],
    ['a streamed query of an agent, before the stream opens', () => askAgent({ streaming: true })],
    ['a query of a datastore', () => searchDatastore()],
  ])(
    'if the monthly limit is reached, the API refuses %s with 402, and the message contains the limit and the number of queries',
    async (_what, ask) => {
      await setQueryLimit(1);
      expect(await getStatus(askAgent())).toBe(200);
      const asked = used.test.query.questions.length + used.test.query.searches.length;
      const refused = await ask();
      expect([refused.status, refused.headers['content-type']]).toEqual([
        402,
        'application/problem+json; charset=utf-8',
      ]);
      expect(refused.body).toMatchObject({
        code: 'usage_limit_reached',
        error: 'USAGE_LIMIT_REACHED',
        detail:
          'The limit agentQueriesPerMonth allows 1 queries per month, found 1 in 2026-11 (UTC). The next month begins at 2026-12-01T00:00:00.000Z.',
      });
      expect(used.test.query.questions.length + used.test.query.searches.length).toBe(asked);
    },
  );

  it('a monthly limit of 0 refuses every query, and a monthly limit of null refuses no query', async () => {
    await setQueryLimit(0);
    expect(await getStatus(askAgent())).toBe(402);
    expect(await getUsedQueries()).toMatchObject({ used: 0, limit: 0 });
    await setQueryLimit(null);
    expect(await getStatus(askAgent())).toBe(200);
    expect(await getUsedQueries()).toMatchObject({ used: 1, limit: null });
  });

  it('a change of the monthly limit takes effect immediately', async () => {
    await setQueryLimit(1);
    expect([await getStatus(askAgent()), await getStatus(askAgent())]).toEqual([200, 402]);
    await setQueryLimit(3);
    expect([await getStatus(askAgent()), await getStatus(searchDatastore())]).toEqual([200, 200]);
    await setQueryLimit(2);
    expect(await getStatus(searchDatastore())).toBe(402);
  });

  it('the monthly count restarts in the first millisecond of the next month in UTC, without a scheduled job', async () => {
    await setQueryLimit(1);
    now = new Date('2026-11-30T23:59:59.999Z');
    expect([await getStatus(askAgent()), await getStatus(askAgent())]).toEqual([200, 402]);
    now = new Date('2026-12-01T00:00:00.000Z');
    expect(await getUsedQueries()).toMatchObject({ used: 0, limit: 1 });
    expect([await getStatus(askAgent()), await getStatus(askAgent())]).toEqual([200, 402]);
  });

  it('the queries of one organization do not count against the monthly limit of another organization', async () => {
    await setQueryLimit(1);
    await askAgent();
    const other = await used.test.createTenant();
    expect((await other.api.get('/api/usage')).body).toMatchObject({ queries: { used: 0, limit: null } });
  });
});

describe('a failed query', () => {
  it('a query that is refused with 400 or 404 is not counted', async () => {
    expect(await getStatus(askAgent({ query: '' }))).toBe(400);
    expect(await getStatus(used.tenant.api.post(`/api/agents/${used.datastore}/query`).send({ query: 'x' }))).toBe(404);
    expect(await getStatus(askAgent({ conversationId: used.agent }))).toBe(404);
    expect(await getUsedQueries()).toMatchObject({ used: 0 });
  });

  it('a query that the query service refuses is not counted', async () => {
    used.test.query.refusal = { status: 424, body: { code: 'model_not_configured', detail: 'none' } };
    expect([await getStatus(askAgent()), await getStatus(askAgent({ streaming: true }))]).toEqual([424, 424]);
    used.test.query.refusal = { status: 500, body: {} };
    expect(await getStatus(searchDatastore())).toBe(503);
    expect(await getUsedQueries()).toMatchObject({ used: 0 });
  });

  it.each([[false], [true]])(
    'a query that fails before the first text of the answer is not counted, and can be repeated (streaming: %s)',
    async (streaming) => {
      await setQueryLimit(1);
      used.test.query.answer = () => streamEvents([{ type: 'failed', code: 'model_unavailable', message: 'away' }]);
      expect((await askAgent({ streaming })).text).toContain('model_unavailable');
      used.test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
      expect(await getStatus(askAgent({ streaming }))).toBe(200);
      expect(await getUsedQueries()).toMatchObject({ used: 1, agentQueries: 1, datastoreQueries: 0 });
    },
  );

  it('a failed query is counted if the client received text of the answer before the failure', async () => {
    const generateFailure = (text: string) => () =>
      streamEvents([
        { type: 'delta', text },
        { type: 'failed', code: 'model_unavailable', message: 'away' },
      ]);
    used.test.query.answer = generateFailure('Half');
    expect(await getStatus(askAgent({ streaming: false }))).toBe(503);
    expect(await getUsedQueries()).toMatchObject({ used: 0 });
    await askAgent({ streaming: true });
    expect(await getUsedQueries()).toMatchObject({ used: 1 });
    used.test.query.answer = generateFailure(' \n');
    await askAgent({ streaming: true });
    expect(await getUsedQueries()).toMatchObject({ used: 1 });
  });

  it('if the client disconnects before it has received text of the answer, the query is counted', async () => {
    const { test, tenant, agent } = used;
    const aborted = Promise.withResolvers<undefined>();
    test.query.answer = async function* (_request, signal) {
      await once(signal, 'abort');
      aborted.resolve(undefined);
      yield buildCompletedEvent('too late');
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
    await expect(response).rejects.toThrow('aborted');
    await aborted.promise;
    await test.gateway.answers.waitUntilDone();
    expect(await getUsedQueries()).toMatchObject({ used: 1 });
  });

  it('a query that fails in the next month is subtracted from the count of the month in which it was asked', async () => {
    const { query } = used.test;
    now = new Date('2026-11-30T23:59:59.000Z');
    await askAgent();
    query.answer = () => {
      now = new Date('2026-12-01T00:00:01.000Z');
      return streamEvents([{ type: 'failed', code: 'model_unavailable', message: 'away' }]);
    };
    await askAgent();
    expect(await getUsedQueries()).toMatchObject({ used: 0 });
    now = NOVEMBER;
    expect(await getUsedQueries()).toMatchObject({ used: 1 });
  });

  it('a query is not counted if the gateway stops before the first text of the answer', async () => {
    used.test.query.answer = async function* () {
      used.test.gateway.answers.abortAll(problem('service_stopping', 'stopping'));
      await Promise.resolve();
      yield { type: 'delta', text: 'too late' };
    };
    expect(await getStatus(askAgent())).toBe(503);
    expect(await getUsedQueries()).toMatchObject({ used: 0 });
  });
});

describe('GET /usage', () => {
  it('GET /usage returns the month, the usage of each kind, the limits and the time of the next reset', async () => {
    await setQueryLimit(10);
    await askAgent();
    await askAgent();
    await searchDatastore();
    const response = await used.tenant.api.get('/api/usage');
    expectDocumented(response, 'get', '/usage');
    expect(response.body).toEqual({
      month: '2026-11',
      resetsAt: '2026-12-01T00:00:00.000Z',
      queries: { used: 3, limit: 10, agentQueries: 2, datastoreQueries: 1 },
      storedTokens: { used: 0, limit: null },
    });
  });

  it('GET /usage refuses API keys without the scope `manage`, and API keys that are limited to agents or datastores', async () => {
    const { test, tenant, agent } = used;
    const asker = await tenant.addKey({ scopes: ['query'] });
    expect((await test.createApi(asker.key).get('/api/usage')).status).toBe(403);
    const limited = await tenant.addKey({ agentIds: [agent] });
    expect((await test.createApi(limited.key).get('/api/usage')).body).toMatchObject({
      status: 403,
      code: 'key_limited',
    });
  });
});
