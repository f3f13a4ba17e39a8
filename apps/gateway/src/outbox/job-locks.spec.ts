import { createHash } from 'node:crypto';
import { asc, eq, inArray } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { outbox } from '../database/tables/outbox.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { WAITING_CONNECTIONS } from '../testing/waiting-connections.js';
import { deleteJobsOfRuns } from './outbox.js';
import { claimJobs } from './waiting-jobs.js';

const RUN = newId();

const used = setUpTenant();

beforeEach(async () => {
  await used.test.gateway.db.delete(outbox);
});

/** Writes two jobs of a run whose order in the index of runs is the reverse of their order by id. @returns their ids */
async function writeJobs(): Promise<readonly number[]> {
  const hash = (text: string): string => createHash('md5').update(text).digest('hex');
  const keys = ['a', 'b', 'c'].toSorted((first, second) => (hash(first) < hash(second) ? 1 : -1)).slice(0, 2);
  const rows = keys.map((documentKey) => ({
    ...{ organizationId: newId(), queue: 'ingestion', name: 'index-document' },
    payload: { runId: RUN, documentKey },
  }));
  await used.test.gateway.db.insert(outbox).values(rows);
  const written = await used.test.gateway.db.select({ id: outbox.id }).from(outbox).orderBy(asc(outbox.id));
  return written.map(({ id }) => id);
}

it('deleteJobsOfRuns locks jobs in the order of their ids, so that it cannot deadlock with other statements', async () => {
  const { db } = used.test.gateway;
  const [first = 0, second = 0] = await writeJobs();
  let deleting: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.select().from(outbox).where(eq(outbox.id, first)).for('update');
    deleting = deleteJobsOfRuns(db, [RUN]);
    await expect.poll(async () => (await tx.execute(WAITING_CONNECTIONS)).rows).toHaveLength(1);
    const free = await tx.select().from(outbox).where(eq(outbox.id, second)).for('update', { noWait: true });
    expect(free).toHaveLength(1);
  });
  await deleting;
  expect(await db.$count(outbox)).toBe(0);
});

it('claimJobs claims the jobs that no other transaction is deleting, without waiting for the others', async () => {
  const { db } = used.test.gateway;
  const ids = await writeJobs();
  await db.transaction(async (tx) => {
    await tx.delete(outbox).where(inArray(outbox.id, ids.slice(0, 1)));
    expect((await claimJobs(db, ids)).map(({ id }) => id)).toEqual(ids.slice(1));
  });
});
