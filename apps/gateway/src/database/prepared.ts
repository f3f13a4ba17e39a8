import type { Queries } from './database.js';

/** These statements are built once in this process. They are not named in the database, because poolers lose named statements. */
export const UNNAMED = '';

/**
 * Builds a statement once per database, instead of at each use, which takes longer than its execution. For the statements of each
 * customer query.
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
