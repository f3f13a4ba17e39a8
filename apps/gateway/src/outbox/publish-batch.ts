import type { Log } from '@quarry/service-kit';
import { ValidationError } from '@quarry/validation';
import { asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { outbox, type OutboxRow } from '../database/tables/outbox.js';
import type { Publish } from './publishers.js';

export interface Relaying {
  readonly db: Queries;
  readonly log: Log;
  readonly publishers: ReadonlyMap<string, Publish>;
}

/** Rows at once, at most. */
export const BATCH = 200;

/**
 * Publishes the oldest jobs of the outbox, and takes them out. A crash in between publishes them again, which changes nothing:
 * a job that is there already is the same job. Relays that work at once take different rows.
 *
 * @returns how many rows were dealt with
 * @throws when a queue or the database is away; nothing was taken out then
 */
export async function publishBatch({ db, log, publishers }: Relaying): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(outbox)
      .where(isNull(outbox.refusal))
      .orderBy(asc(outbox.id))
      .limit(BATCH)
      .for('update', { skipLocked: true });
    const published: number[] = [];
    for (const [queue, jobs] of Map.groupBy(rows, (row) => row.queue)) {
      const publish = publishers.get(queue) ?? refuseQueue(queue);
      const refused = await publishAll(publish, jobs);
      for (const [row, reason] of refused) {
        log.error({ outboxId: row.id, queue, job: row.name, reason }, 'no queue takes a job: it is kept in the outbox');
        await tx.update(outbox).set({ refusal: reason }).where(eq(outbox.id, row.id));
      }
      published.push(...jobs.filter((job) => !refused.has(job)).map((job) => job.id));
    }
    if (published.length > 0) await tx.delete(outbox).where(inArray(outbox.id, published));
    return rows.length;
  });
}

/** @returns why, for those that the queue refuses; the others are in it */
async function publishAll(publish: Publish, rows: readonly OutboxRow[]): Promise<ReadonlyMap<OutboxRow, string>> {
  try {
    await publish(rows);
    return new Map();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (rows.length === 1) return new Map(rows.map((row) => [row, error.message]));
  }
  const refused = new Map<OutboxRow, string>();
  for (const row of rows) for (const [one, reason] of await publishAll(publish, [row])) refused.set(one, reason);
  return refused;
}

/** A payload that is not what its contract says stays wrong however often it is sent. */
function isRefusal(error: unknown): error is Error {
  return error instanceof ValidationError || error instanceof UnknownQueue;
}

class UnknownQueue extends Error {}

function refuseQueue(queue: string): Publish {
  return async () => Promise.reject(new UnknownQueue(`there is no queue ${queue}`));
}
