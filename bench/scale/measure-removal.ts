import { randomInt } from 'node:crypto';
import { openDatabase, type OpenDatabase } from '@quarry/gateway';
import {
  BUSY_ORGANIZATION,
  FILLED,
  buildFilledId,
  hideDatastore,
  removeNextDatastoreContent,
  reserveQuery,
} from '@quarry/gateway/testing';
import { measureDuration } from '../quarry/measure-duration.js';

/** Measurements of the deletion of a datastore that contains half of all datasources in the database. */
export interface RemovalFigures {
  readonly datasources: number;
  /** Duration of one transaction that deletes the datastore and, by cascade, its content. */
  readonly oneTransactionMs: number;
  readonly hideMs: number;
  readonly longestStepMs: number;
  readonly totalMs: number;
}

/** Number of queries of one organization that the database can count per second: in one row, and spread over 16 rows. */
export interface CountingFigures {
  readonly oneRowPerSecond: number;
  readonly stripesPerSecond: number;
}

const DATASTORE = { organizationId: BUSY_ORGANIZATION, id: buildFilledId(FILLED.datastore, '1') };

/**
 * Measures the deletion of the largest datastore: first in one transaction, which is rolled back, and then step by
 * step, as the gateway deletes it.
 */
export async function measureRemoval(url: string): Promise<RemovalFigures> {
  return runWithDatabase(url, async ({ db, pool }) => {
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
      const step = await measureDuration(async () => removeNextDatastoreContent(db, DATASTORE, new Date()));
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
const STRIPES = 16;
const COUNT = `update quarry.usage_stripes set agent_queries = agent_queries + 1
  where organization_id = $1 and month = $2 and stripe = $3 and (select set_config('synchronous_commit', 'off', true)) is not null`;

/**
 * Measures how many times per second 16 parallel connections can increment the query counter of one organization. The
 * counter is first one row, and then spread over 16 rows.
 */
export async function measureQueryCounting(url: string): Promise<CountingFigures> {
  return runWithDatabase(url, async ({ db, pool }) => {
    const askedAt = new Date();
    // This call creates the rows of the current month.
    await reserveQuery(db, { organizationId: BUSY_ORGANIZATION, kind: 'agentQueries', askedAt });
    const month = askedAt.toISOString().slice(0, 7);
    const countQuery = async (stripe: number): Promise<void> => {
      await pool.query(COUNT, [BUSY_ORGANIZATION, month, stripe]);
    };
    const oneRowPerSecond = await measureCountsPerSecond(async () => countQuery(0));
    return {
      oneRowPerSecond,
      stripesPerSecond: await measureCountsPerSecond(async () => countQuery(randomInt(STRIPES))),
    };
  });
}

async function measureCountsPerSecond(count: () => Promise<void>): Promise<number> {
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

async function runWithDatabase<T>(url: string, use: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, connections: PARALLEL, direct: true, onConnectionLost: () => undefined });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
