import type { Queries } from './database.js';

/** Omits a name in the database. The statement is built once in this process only, because poolers lose named statements. */
export const UNNAMED_STATEMENT = '';

/**
 * Builds a statement once per database instead of at each use, because building takes longer than the execution. Used for the
 * statements of customer queries.
 */
export function preparePerDatabase<Statement>(prepare: (db: Queries) => Statement): (db: Queries) => Statement {
  const statements = new WeakMap<Queries, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known !== undefined) return known;
    const statement = prepare(db);
    statements.set(db, statement);
    return statement;
  };
}
