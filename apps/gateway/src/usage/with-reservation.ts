import type { Log } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { giveBackQuery, reserveQuery, type Reservation } from './query-reservations.js';

/** A query that is counted before its work begins. */
export interface ReservedQuery {
  readonly reservation: Reservation;
  readonly client: { hasLeft(): boolean };
  /** The log of the request. */
  readonly log: Log;
}

/**
 * Carries out a query, if the month's limit allows it. A query that fails is not counted. One whose client has left is counted,
 * because its work was done.
 *
 * @throws Problem 402, and what `work` throws
 */
export async function withReservation<T>(
  { db }: Pick<Gateway, 'db'>,
  { reservation, client, log }: ReservedQuery,
  work: () => Promise<T>,
): Promise<T> {
  await reserveQuery(db, reservation);
  try {
    return await work();
  } catch (error) {
    if (!client.hasLeft()) {
      // A failure here must not hide why the query failed.
      await giveBackQuery(db, reservation).catch((failure: unknown) => {
        log.warn({ err: redactQueryParameters(failure) }, 'a query that failed was not given back');
      });
    }
    throw error;
  }
}
