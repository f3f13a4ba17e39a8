import { readdir } from 'node:fs/promises';
import { startTestPostgres, type TestPostgres } from '@quarry/embedded-postgres/testing';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from './database.js';
import { migrateDatabase } from './migrate.js';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
}, 60_000);
afterAll(async () => postgres.stop());

it('five gateways that start at the same time apply each migration once, and a later start applies no migration', async () => {
  const url = await postgres.createDatabase();
  await Promise.all(Array.from({ length: 5 }, async () => migrateDatabase(url)));
  await migrateDatabase(url);
  const database = openDatabase({ url, connections: 2, onConnectionLost: () => undefined });
  const applied = await database.db.execute(sql`select id from quarry_migrations.applied`);
  const tables = await database.db.execute(sql`select 1 from pg_tables where schemaname = 'quarry'`);
  await database.close();
  const migrations = await readdir(new URL('../../migrations', import.meta.url));
  expect(applied.rows).toHaveLength(migrations.filter((name) => name.endsWith('.sql')).length);
  expect(tables.rows.length).toBeGreaterThan(10);
});

it('while another transaction holds a lock that a migration needs, migrateDatabase rolls back, holds no lock and tries again', async () => {
  const url = await postgres.createDatabase();
  const [blocking, observing] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([blocking.connect(), observing.connect()]);
  // The first migration creates the same schema, so it waits for the end of this transaction.
  await blocking.query('begin; create schema quarry');
  const rolledBack = Promise.withResolvers<unknown>();
  const migrated = migrateDatabase(url, { log: { warn: rolledBack.resolve }, retryPauseMs: 200 });
  await rolledBack.promise;
  const locks = await observing.query(
    `select 1 from pg_locks join pg_stat_activity using (pid)
     where application_name = 'quarry-migrations' and locktype = 'relation'`,
  );
  expect(locks.rows).toEqual([]);
  await blocking.query('rollback');
  await migrated;
  const { rows } = await observing.query("select 1 from pg_tables where schemaname = 'quarry'");
  expect(rows.length).toBeGreaterThan(10);
  await Promise.all([blocking.end(), observing.end()]);
});

it('pinging a database that is not running rejects with ECONNREFUSED', async () => {
  const closed = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    connections: 2,
    onConnectionLost: () => undefined,
  });
  await expect(closed.ping()).rejects.toThrow('ECONNREFUSED');
  await closed.close();
});
