import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../testing/create-test-database.js';
import { openDatabase } from './database.js';

/** Opens a database through a proxy that closes each connection on which `begin` is sent, while `breaks` is true. */
async function openFragileDatabase(connections: number) {
  const copy = await createTestDatabase();
  const target = new URL(copy.url);
  const fault = { breaks: false };
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    upstream.pipe(client);
    client.on('data', (sent) => {
      if (fault.breaks && sent.includes('begin')) client.destroy();
      else upstream.write(sent);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(copy.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`; // a TCP server's address is always of this form
  const database = openDatabase({ url: url.href, connections, onConnectionLost: () => undefined });
  onTestFinished(async () => {
    await database.close();
    proxy.close();
    await copy.drop();
  });
  return { database, fault };
}

it('after connections have broken at the begin of transactions, all connections of the pool can be used again', async () => {
  const { database, fault } = await openFragileDatabase(2);
  const runTransaction = async () => database.db.transaction(async (tx) => (await tx.execute(sql`select 1`)).rowCount);
  fault.breaks = true;
  for (let failures = 0; failures < 3; failures += 1) await expect(runTransaction()).rejects.toThrow();
  fault.breaks = false;
  expect(await Promise.all([runTransaction(), runTransaction()])).toEqual([1, 1]);
  expect(database.pool.totalCount).toBe(database.pool.idleCount);
});

it('a failed transaction is rolled back, and its connection returns to the pool', async () => {
  const { database } = await openFragileDatabase(1);
  await database.db.execute(sql`create table public.notes (text text)`);
  const failed = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into public.notes values ('first')`);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect((await database.db.execute(sql`select 1 from public.notes`)).rowCount).toBe(0);
});
