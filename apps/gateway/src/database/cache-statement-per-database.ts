import type { Queries } from './database.js';

/**
 * The name for statements that Drizzle prepares, but PostgreSQL does not. PostgreSQL would prepare a named statement on
 * one connection only, and behind a pooler, a later query may use a different connection.
 */
export const UNNAMED_STATEMENT = '';

/**
 * Returns a function that builds a Drizzle statement at the first call for a database, and returns the same statement
 * in later calls. Used for frequent statements, because building a statement takes longer than executing it.
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
