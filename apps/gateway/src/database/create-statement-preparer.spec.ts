import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../testing/create-test-database.js';
import { openDatabase, type OpenDatabase } from './database.js';
import { createStatementPreparer } from './create-statement-preparer.js';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function openTestDatabase(more: { readonly direct?: boolean }): Promise<OpenDatabase> {
  const copy = await createTestDatabase();
  const database = openDatabase({ url: copy.url, connections: 1, onConnectionLost: () => undefined, ...more });
  cleanUps.push(
    () => copy.drop(),
    () => database.close(),
  );
  return database;
}

async function listPreparedStatements({ db }: OpenDatabase): Promise<readonly unknown[]> {
  for (let number = 0; number < 20; number += 1) {
    const { rows } = await db.execute(sql`select ${number}::int as number`);
    expect(rows).toEqual([{ number }]);
  }
  return (await db.execute(sql`select statement from pg_prepared_statements`)).rows;
}

describe('preparing frequent statements', () => {
  it('a frequent statement is prepared once per connection', async () => {
    expect(await listPreparedStatements(await openTestDatabase({ direct: true }))).toEqual([
      { statement: 'select $1::int as number' },
    ]);
  });

  it('a frequent statement is not prepared if a pooler may be between the gateway and the database', async () => {
    expect(await listPreparedStatements(await openTestDatabase({}))).toEqual([]);
  });

  it('a statement that was prepared in transactions stays usable after a transaction has failed', async () => {
    const { db } = await openTestDatabase({ direct: true });
    const divideSix = async (by: number) =>
      db.transaction(async (tx) => tx.execute(sql`select 6 / ${by}::int as result`));
    for (let time = 0; time < 20; time += 1) expect((await divideSix(2)).rows).toEqual([{ result: 3 }]);
    await expect(divideSix(0)).rejects.toThrow();
    expect((await divideSix(3)).rows).toEqual([{ result: 2 }]);
  });
});

/** Executes each statement 20 times with a fake client. @returns the names of the statements that were prepared */
function listPreparedNames(statements: readonly string[], values: readonly unknown[]): readonly unknown[] {
  const names = new Map<string, unknown>();
  const client = {
    query: (config: { readonly text: string; readonly name?: string }) => names.set(config.text, config.name),
  };
  createStatementPreparer()(client as never); // createStatementPreparer uses only this method of a client
  const query = client.query as (config: { readonly text: string }, values: readonly unknown[]) => unknown; // the signature of the original `query`
  for (const text of statements) for (let time = 0; time < 20; time += 1) query({ text }, values);
  return [...names.values()].filter((name) => name !== undefined);
}

describe('the names of prepared statements', () => {
  it('createStatementPreparer prepares at most 100 statements, each with a different name', () => {
    const statements = Array.from({ length: 150 }, (_, number) => `select ${number}, $1`);
    expect(new Set(listPreparedNames(statements, [1])).size).toBe(100);
    expect(listPreparedNames(statements, [1])).toHaveLength(100);
  });

  it('createStatementPreparer does not prepare a query text that contains several statements', () => {
    expect(listPreparedNames(['set local a = 1; set local b = 2'], [])).toEqual([]);
  });
});
