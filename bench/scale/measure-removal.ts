import { openDatabase, type OpenDatabase } from '@quarry/gateway';
import {
  BUSY_ORGANIZATION,
  FILLED,
  filledId,
  hideDatastore,
  removeNextContent,
  reserveQuery,
} from '@quarry/gateway/testing';
import { measureDuration } from '../quarry/measure-duration.js';

/** Describes the deletion of the datastore with half of the datasources. */
export interface RemovalFigures {
  readonly datasources: number;
  /** One transaction that deletes the datastore and, by cascade, its content. */
  readonly oneTransactionMs: number;
  readonly hideMs: number;
  readonly longestStepMs: number;
  readonly totalMs: number;
}

/** Describes how many queries of one organization are counted per second. */
export interface CountingFigures {
  readonly oneRowPerSecond: number;
  readonly stripesPerSecond: number;
}

const DATASTORE = { organizationId: BUSY_ORGANIZATION, id: filledId(FILLED.datastore, '1') };

/** Deletes the largest datastore of a filled database, first in one transaction, which is rolled back, and then in steps. */
export async function measureRemoval(url: string): Promise<RemovalFigures> {
  return withDatabase(url, async ({ db, pool }) => {
    const { rows } = await pool.query<{ count: string }>(
      'select count(*) from quarry.datasources where datastore_id = $1',
      [DATASTORE.id],
    );
    const client = await pool.connect();
    await client.query('begin');
    const once = await measureDuration(async () =>
      client.query('delete from quarry.datastores where id = $1', [DATASTORE.id]),
    );
    await client.query('rollback');
    client.release();
    const hidden = await measureDuration(async () => hideDatastore(db, DATASTORE, new Date()));
    const steps: number[] = [];
    for (let isDone = false; !isDone;) {
      const step = await measureDuration(async () => removeNextContent(db, DATASTORE, new Date()));
      steps.push(step.ms);
      isDone = step.result;
    }
    return {
      datasources: Number(rows[0]?.count),
      oneTransactionMs: once.ms,
      hideMs: hidden.ms,
      longestStepMs: Math.max(...steps),
      totalMs: steps.reduce((sum, ms) => sum + ms, 0),
    };
  });
}

const PARALLEL = 16;
const COUNTING_MS = 3_000;
const ONE_ROW = `insert into quarry.usage_months (organization_id, month, agent_queries) values ($1, '2000-01', 1)
  on conflict (organization_id, month) do update set agent_queries = usage_months.agent_queries + 1`;

/** Counts queries of one organization in one row, and then as the gateway does, with 16 queries at a time. */
export async function measureCounting(url: string): Promise<CountingFigures> {
  return withDatabase(url, async ({ db, pool }) => {
    const query = { organizationId: BUSY_ORGANIZATION, kind: 'agentQueries', askedAt: new Date() } as const;
    const oneRowPerSecond = await countPerSecond(async () => {
      await pool.query(ONE_ROW, [BUSY_ORGANIZATION]);
    });
    return { oneRowPerSecond, stripesPerSecond: await countPerSecond(async () => reserveQuery(db, query)) };
  });
}

async function countPerSecond(count: () => Promise<void>): Promise<number> {
  const end = performance.now() + COUNTING_MS;
  const counted = await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      let number = 0;
      for (; performance.now() < end; number += 1) await count();
      return number;
    }),
  );
  return counted.reduce((sum, number) => sum + number, 0) / (COUNTING_MS / 1_000);
}

async function withDatabase<T>(url: string, use: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, connections: PARALLEL, direct: true, onConnectionLost: () => undefined });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
