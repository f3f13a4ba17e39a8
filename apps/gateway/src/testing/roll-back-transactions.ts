import type { Queries } from '../database/database.js';

/** Wraps a database so that every transaction is rolled back at its end, as after a broken connection at the commit. */
export function rollBackTransactions(db: Queries): Queries {
  const transaction: Queries['transaction'] = async (work) =>
    db.transaction(async (tx) => {
      await work(tx);
      throw new Error('rolled back');
    });
  return Object.assign(Object.create(db) as Queries, { transaction });
}
