import type { Queries } from './database.js';

/** Prepared here and not in the database: poolers in front of one lose statements that have a name. */
export const UNNAMED = '';

/**
 * A statement that is put together once for each database instead of at each use, which takes longer than the database needs to
 * answer it. For those that every query of a customer makes.
 */
export function prepared<Statement>(prepare: (db: Queries) => Statement): (db: Queries) => Statement {
  const statements = new WeakMap<Queries, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known !== undefined) return known;
    const statement = prepare(db);
    statements.set(db, statement);
    return statement;
  };
}
