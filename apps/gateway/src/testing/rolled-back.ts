import type { Queries } from '../database/database.js';

/** Returns a database whose transactions do their work and are then rolled back, as when the connection breaks at the commit. */
export function rolledBack(db: Queries): Queries {
  const transaction: Queries['transaction'] = async (work) =>
    db.transaction(async (tx) => {
      await work(tx);
      throw new Error('rolled back');
    });
  return Object.assign(Object.create(db) as Queries, { transaction });
}
