import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import { openDatabase, type OpenDatabase, type Queries } from './database.js';
import { isDatabaseUnavailable } from './query-error.js';

let test: TestGateway;
let database: OpenDatabase;
beforeAll(async () => {
  test = await startTestGateway();
  database = openDatabase({ url: test.databaseUrl, connections: 2, onConnectionLost: () => undefined });
}, 60_000);
afterAll(async () => {
  await database.close();
  await test.close();
});

/** Terminates the database connection of a transaction, as a failover of PostgreSQL does. */
async function terminateConnection(tx: Queries): Promise<void> {
  await terminateProcess(await getBackendPid(tx));
}

async function getBackendPid(tx: Queries): Promise<number | undefined> {
  const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return rows[0]?.pid;
}

async function terminateProcess(pid: number | undefined): Promise<void> {
  await test.context.database.db.execute(sql`select pg_terminate_backend(${pid})`);
}

async function catchError(work: (tx: Queries) => Promise<unknown>): Promise<unknown> {
  try {
    await database.db.transaction(work);
  } catch (error) {
    return error;
  }
  throw new Error('expected the transaction to fail');
}

it.each([
  ['before a query', async (tx: Queries) => terminateConnection(tx).then(() => tx.execute(sql`select 1`))],
  ['before its end', terminateConnection],
  [
    'during a query',
    async (tx: Queries) => {
      const pid = await getBackendPid(tx);
      const slow = Promise.allSettled([tx.execute(sql`select pg_sleep(60)`)]);
      await terminateProcess(pid);
      const [outcome] = await slow;
      if (outcome.status === 'rejected') throw outcome.reason;
    },
  ],
  [
    'and two queries later',
    async (tx: Queries) => {
      await terminateConnection(tx);
      await tx.execute(sql`select 1`).catch(() => undefined);
      return tx.execute(sql`select 2`);
    },
  ],
])('isDatabaseUnavailable returns true if the connection of a transaction breaks %s', async (_when, work) => {
  const error = await catchError(work);
  expect(isDatabaseUnavailable(error), String(error)).toBe(true);
});

it('isDatabaseUnavailable returns false for the error of an invalid query', async () => {
  const error = await catchError(async (tx) => tx.execute(sql`select nonsense`));
  expect(isDatabaseUnavailable(error)).toBe(false);
});

it('isDatabaseUnavailable returns true for the error of a missing Unix socket, and false for the error of a missing file', () => {
  const missing = { code: 'ENOENT', path: '/data/.s.PGSQL.5432' };
  expect(isDatabaseUnavailable(Object.assign(new Error('connect'), { ...missing, syscall: 'connect' }))).toBe(true);
  expect(isDatabaseUnavailable(Object.assign(new Error('open'), { ...missing, syscall: 'open' }))).toBe(false);
});
