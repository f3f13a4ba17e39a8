import type { Queries } from './database.js';

/**
 * The name of statements that Drizzle prepares, but PostgreSQL does not. PostgreSQL would prepare a named statement on
 * one connection, and behind a pooler, later queries may use another connection.
 */
export const UNNAMED_STATEMENT = '';

/**
 * Returns a function that builds a Drizzle statement at the first call for a database, and reuses the statement in
 * later calls. Building a statement takes longer than executing it. Used for the statements of customer queries.
 */
export function cacheStatementPerDatabase<Statement>(prepare: (db: Queries) => Statement): (db: Queries) => Statement {
  const statements = new WeakMap<Queries, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known !== undefined) return known;
    const statement = prepare(db);
    statements.set(db, statement);
    return statement;
  };
}
