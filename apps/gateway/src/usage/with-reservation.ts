import { requestOf } from '@quarry/service-kit';
import type { Response } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { giveBackQuery, reserveQuery, type Reservation } from './query-reservations.js';

/**
 * Does what a query asks for, if the month's limit allows it. A query that is refused on the way is not counted; one whose client
 * leaves is, because the work was done.
 *
 * @throws Problem 402, and what `work` throws
 */
export async function withReservation<T>(
  { db }: Pick<Gateway, 'db'>,
  response: Response,
  reservation: Reservation,
  work: () => Promise<T>,
): Promise<T> {
  await reserveQuery(db, reservation);
  try {
    return await work();
  } catch (error) {
    if (!response.closed) await giveBack(db, response, reservation);
    throw error;
  }
}

/** That it could not be given back is no reason to hide why the query failed. */
async function giveBack(db: Gateway['db'], response: Response, reservation: Reservation): Promise<void> {
  await giveBackQuery(db, reservation).catch((error: unknown) => {
    requestOf(response).log.warn({ err: redactQueryParameters(error) }, 'a query that failed was not given back');
  });
}
