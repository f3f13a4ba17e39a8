import { eq } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAgentWithDatastores } from '../agents/agent-with-datastores.js';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { newId } from '../database/id.js';
import { usageStripes } from '../database/tables/usage-stripes.js';
import { findSearchTargets } from '../searching/search-target.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { createAgent, createDatastore } from '../testing/create-resources.js';
import { recordStatements, type StatementRecorder } from '../testing/record-statements.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { reserveQuery } from '../usage/query-reservations.js';

let copy: TestDatabase;
let database: OpenDatabase;
let test: TestGateway;
let tenant: Tenant;
let datastore: string;
let agent: string;
let recorder: StatementRecorder;

beforeAll(async () => {
  copy = await createTestDatabase();
  database = openDatabase({ url: copy.url, connections: 10, onConnectionLost: () => undefined });
  recorder = recordStatements(database.pool);
  test = await startTestGateway({ database });
});
afterAll(async () => {
  await test.close();
  await database.close();
  await copy.drop();
});
beforeEach(async () => {
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
  agent = await createAgent(tenant.api, { datastoreIds: [datastore] });
  // The first query of a month creates the rows that count queries.
  await runSearch();
  // Opens the connections of the pool, because a statement that waits for a new connection counts as another round
  // trip.
  await Promise.all(Array.from({ length: 5 }, async () => database.pool.query('select pg_sleep(0.01)')));
});
afterEach(() => {
  test.query.answer = () => streamEvents([buildCompletedEvent('Yes.')]);
});

const FRAGMENT = {
  ...{ fragmentId: 'f', datasourceId: newId(), documentKey: 'd', customId: null, page: null, rectangles: [] },
  ...{ text: 'text', source: null, score: 0.5 },
};

const runSearch = async (id = datastore) => tenant.api.post(`/api/datastores/${id}/query`).send({ query: 'why' });
const askQuestion = async (body: object = {}, id = agent) =>
  tenant.api.post(`/api/agents/${id}/query`).send({ query: 'Why?', streaming: true, ...body });

/**
 * Makes the query service record, for each question, the SQL statements that the gateway sent before it called the
 * service.
 *
 * @returns a function that returns the record of the latest question
 */
function recordQuestionStatements(): () => { readonly statements: readonly string[]; readonly roundTrips: number } {
  let seen = { statements: [] as readonly string[], roundTrips: 0 };
  test.query.answer = () => {
    const roundTrips = recorder.countRoundTrips();
    seen = { statements: recorder.takeStatements(), roundTrips };
    return streamEvents([buildCompletedEvent('Yes.')]);
  };
  return () => seen;
}

async function countQueries(): Promise<number> {
  const rows = await test.gateway.db
    .select()
    .from(usageStripes)
    .where(eq(usageStripes.organizationId, tenant.organizationId));
  return rows.reduce((sum, row) => sum + row.agentQueries + row.datastoreQueries, 0);
}

/**
 * Repeats a measurement until the gateway finds the API key in its cache. On a busy machine, the cached key can expire
 * before the measurement, which then counts the statement that loads the key.
 */
const expectWithCachedKey = <T>(measure: () => Promise<T>) => expectEventually(measure);

describe('the statements of a query', () => {
  it('a search sends 3 SQL statements to the database in 2 round trips', async () => {
    test.query.fragments = [FRAGMENT];
    await expectWithCachedKey(async () => {
      recorder.takeStatements();
      expect((await runSearch()).status).toBe(200);
      return [recorder.countRoundTrips(), recorder.takeStatements().length];
    }).toEqual([2, 3]);
  });

  it('a streamed question sends 3 SQL statements in one round trip before the answer, and 1 SQL statement after the answer', async () => {
    const getSeen = recordQuestionStatements();
    await expectWithCachedKey(async () => {
      test.gateway.storedConnections.reload();
      recorder.takeStatements();
      expect((await askQuestion()).text).toContain('[DONE]');
      return { ...getSeen(), after: recorder.takeStatements() };
    }).toMatchObject({ roundTrips: 1, statements: { length: 3 }, after: { length: 1 } });
  });

  it('a resumable question sends 3 SQL statements in one round trip before the answer, and stores its stream and its conversation with one SQL statement', async () => {
    const getSeen = recordQuestionStatements();
    await expectWithCachedKey(async () => {
      test.gateway.storedConnections.reload();
      recorder.takeStatements();
      expect((await askQuestion({ resumable: true })).text).toContain('[DONE]');
      return { ...getSeen(), stored: recorder.takeStatements().filter((sql) => sql.includes('answer_streams" (')) };
    }).toMatchObject({
      ...{ roundTrips: 1, statements: { length: 3 } },
      stored: [expect.stringMatching(/insert into "quarry"\."conversations".*insert into "quarry"\."answer_streams"/s)],
    });
  });

  it('a question in an existing conversation sends 4 SQL statements in one round trip before the answer, and 1 after the answer', async () => {
    const { body } = (await askQuestion({ streaming: false })) as { body: { conversationId: string } };
    const getSeen = recordQuestionStatements();
    await expectWithCachedKey(async () => {
      test.gateway.storedConnections.reload();
      recorder.takeStatements();
      await askQuestion({ conversationId: body.conversationId });
      return { ...getSeen(), after: recorder.takeStatements() };
    }).toMatchObject({ roundTrips: 1, statements: { length: 4 }, after: { length: 1 } });
    expect(test.query.questions.at(-1)?.history.slice(0, 2)).toEqual([
      { role: 'user', text: 'Why?' },
      { role: 'assistant', text: 'Yes.' },
    ]);
  });
});

it('concurrent queries share the SQL statements that count them and that load their agent and datastores', async () => {
  const { db } = test.gateway;
  const { organizationId } = tenant;
  const before = await countQueries();
  const countStatements = async (send: () => Promise<unknown>): Promise<number> => {
    recorder.takeStatements();
    await Promise.all(Array.from({ length: 8 }, send));
    return recorder.takeStatements().length;
  };
  const reservation = { organizationId, kind: 'agentQueries', askedAt: new Date() } as const;
  expect(await countStatements(async () => reserveQuery(db, reservation))).toBe(2);
  expect(await countQueries()).toBe(before + 8);
  expect(await countStatements(async () => findAgentWithDatastores(db, organizationId, agent))).toBe(2);
  expect(await countStatements(async () => findSearchTargets(db, organizationId, [datastore]))).toBe(2);
});

describe('a query whose reservation waits', () => {
  let admin: pg.Client;

  beforeEach(async () => {
    admin = await database.openConnection();
  });
  afterEach(async () => admin.end());

  /** Locks the rows that count the queries of the tenant. @returns a function that unlocks them */
  async function lockUsage(): Promise<() => Promise<void>> {
    await admin.query('begin');
    await admin.query('select from quarry.usage_stripes where organization_id = $1 for update', [
      tenant.organizationId,
    ]);
    return async () => {
      await admin.query('commit');
    };
  }

  /** Waits until the statement that counts a query waits for the row lock. @returns the process id of its backend */
  async function findWaitingBackend(): Promise<number> {
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update%usage_stripes%'`;
    const findWaiting = async () => {
      await admin.query('select pg_stat_clear_snapshot()');
      return (await admin.query<{ pid: number }>(waiting)).rows[0]?.pid;
    };
    await expectEventually(findWaiting).toBeTypeOf('number');
    return (await findWaiting()) ?? 0;
  }

  it('while the statement that counts a query waits for a lock, the gateway loads agent and datastores, but does not call the query service', async () => {
    const getSeen = recordQuestionStatements();
    const release = await lockUsage();
    recorder.takeStatements();
    const asking = askQuestion();
    await findWaitingBackend();
    await expectEventually(() => recorder.countRoundTrips()).toBeGreaterThan(0);
    const asked = test.query.questions.length;
    expect(getSeen().statements).toEqual([]);
    await release();
    expect((await asking).text).toContain('[DONE]');
    expect(test.query.questions.length).toBe(asked + 1);
    expect(await countQueries()).toBe(2);
  });

  it.each([
    ['a question to an unknown agent', async () => askQuestion({}, datastore)],
    ['a question of an unknown conversation', async () => askQuestion({ conversationId: datastore })],
    ['a search of an unknown datastore', async () => runSearch(agent)],
  ])('the gateway does not count %s as a query', async (_what, query) => {
    const release = await lockUsage();
    const asking = query();
    await findWaitingBackend();
    await release();
    expect((await asking).status).toBe(404);
    expect(await countQueries()).toBe(1);
  });

  it.each([
    ['question', () => `/api/agents/${agent}/query`],
    ['search', () => `/api/datastores/${datastore}/query`],
  ])(
    'the gateway does not count a %s if the client disconnects while the statement that counts the query waits for a lock',
    async (_what, getPath) => {
      const asked = test.query.questions.length + test.query.searches.length;
      const release = await lockUsage();
      const connection = new AbortController();
      const asking = fetch(new URL(getPath(), test.url), {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: 'Why?' }),
        signal: connection.signal,
      });
      await findWaitingBackend();
      connection.abort();
      await expect(asking).rejects.toThrow('aborted');
      // When the gateway receives this request, it has noticed the end of the first connection.
      await test.createApi().get('/api/openapi.json');
      await release();
      await expectEventually(countQueries).toBe(1);
      expect(test.query.questions.length + test.query.searches.length).toBe(asked);
    },
  );

  it('if the database ends the connection of the statement that counts a query, the query fails with 503 and calls no model', async () => {
    const release = await lockUsage();
    const asked = test.query.questions.length;
    const asking = askQuestion();
    const pid = await findWaitingBackend();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    expect((await asking).status).toBe(503);
    await release();
    expect(await countQueries()).toBe(1);
    expect(test.query.questions.length).toBe(asked);
  });
});
