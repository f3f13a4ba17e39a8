import type { Log } from '@quarry/service-kit';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { releaseQuery, reserveQuery, type Reservation } from './query-reservations.js';

/** Describes a query that is counted before its work begins. */
export interface ReservedQuery {
  readonly reservation: Reservation;
  readonly client: { hasDisconnected(): boolean };
  /** The log of the request. */
  readonly log: Log;
}

/**
 * Runs a query if the monthly limit allows it. A failed query is not counted, unless its client has disconnected, because its
 * work was done.
 *
 * @throws Problem 402 above the limit, and any error of `work`
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
    if (!client.hasDisconnected()) {
      // A failure here must not hide the error of the query.
      await releaseQuery(db, reservation).catch((failure: unknown) => {
        log.warn({ err: redactQueryParameters(failure) }, 'failed to subtract a failed query from the usage');
      });
    }
    throw error;
  }
}
