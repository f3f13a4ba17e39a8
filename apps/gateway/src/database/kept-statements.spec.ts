import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { copyDatabase } from '../testing/copy-database.js';
import { openDatabase, type OpenDatabase } from './database.js';
import { keptStatements } from './kept-statements.js';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function open(more: { readonly direct?: boolean }): Promise<OpenDatabase> {
  const copy = await copyDatabase();
  const database = openDatabase({ url: copy.url, connections: 1, onConnectionLost: () => undefined, ...more });
  opened.push(
    () => copy.drop(),
    () => database.close(),
  );
  return database;
}

async function keptBy({ db }: OpenDatabase): Promise<readonly unknown[]> {
  for (let number = 0; number < 20; number += 1) {
    const { rows } = await db.execute(sql`select ${number}::int as number`);
    expect(rows).toEqual([{ number }]);
  }
  return (await db.execute(sql`select statement from pg_prepared_statements`)).rows;
}

describe('statements that come often', () => {
  it('are kept by the database, each once on a connection', async () => {
    expect(await keptBy(await open({ direct: true }))).toEqual([{ statement: 'select $1::int as number' }]);
  });

  it('are not kept where there may be a pooler before it', async () => {
    expect(await keptBy(await open({}))).toEqual([]);
  });

  it('are kept in a transaction, too, and outlive one that failed', async () => {
    const { db } = await open({ direct: true });
    const divide = async (by: number) => db.transaction(async (tx) => tx.execute(sql`select 6 / ${by}::int as result`));
    for (let time = 0; time < 20; time += 1) expect((await divide(2)).rows).toEqual([{ result: 3 }]);
    await expect(divide(0)).rejects.toThrow();
    expect((await divide(3)).rows).toEqual([{ result: 2 }]);
  });
});

/** Asks each so often, and tells the names that they were given. */
function namesOf(statements: readonly string[], values: readonly unknown[]): readonly unknown[] {
  const names = new Map<string, unknown>();
  const client = {
    query: (asked: { readonly text: string; readonly name?: string }) => names.set(asked.text, asked.name),
  };
  keptStatements()(client as never); // no more of a client is used
  const query = client.query as (asked: { readonly text: string }, values: readonly unknown[]) => unknown; // as before
  for (const text of statements) for (let time = 0; time < 20; time += 1) query({ text }, values);
  return [...names.values()].filter((name) => name !== undefined);
}

describe('the names of statements', () => {
  it('are a hundred at most, and all different', () => {
    const statements = Array.from({ length: 150 }, (_, number) => `select ${number}, $1`);
    expect(new Set(namesOf(statements, [1])).size).toBe(100);
    expect(namesOf(statements, [1])).toHaveLength(100);
  });

  it('are not given to several statements at once', () => {
    expect(namesOf(['set local a = 1; set local b = 2'], [])).toEqual([]);
  });
});
