import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openSeverableDatabase } from '../testing/severable-database.js';

it('after connections have broken at the begin of transactions, all connections of the pool can be used again', async () => {
  const fault = { breaks: true };
  const { database } = await openSeverableDatabase({
    connections: 2,
    breaksOn: (sent) => fault.breaks && sent.includes('begin'),
  });
  const runTransaction = async () => database.db.transaction(async (tx) => (await tx.execute(sql`select 1`)).rowCount);
  for (let failures = 0; failures < 3; failures += 1) await expect(runTransaction()).rejects.toThrow();
  fault.breaks = false;
  expect(await Promise.all([runTransaction(), runTransaction()])).toEqual([1, 1]);
  expect(database.pool.totalCount).toBe(database.pool.idleCount);
});

it('a failed transaction is rolled back, and its connection returns to the pool', async () => {
  const { database } = await openSeverableDatabase({ connections: 1 });
  await database.db.execute(sql`create table public.notes (text text)`);
  const failed = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into public.notes values ('first')`);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect((await database.db.execute(sql`select 1 from public.notes`)).rowCount).toBe(0);
});
