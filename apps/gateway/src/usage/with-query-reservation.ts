import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { releaseQuery, type Reservation, reserveQuery } from './query-reservations.js';

/** Describes a query that is counted before it runs. */
interface ReservedQuery {
  readonly reservation: Reservation;
  readonly client: { hasDisconnected(): boolean };
  /** The log of the request. */
  readonly log: Log;
}

/**
 * Counts and runs a query if the monthly limit permits it. If the query fails, it is subtracted from the counts again,
 * unless its client has disconnected: then the work was done, and the query stays counted.
 *
 * @throws Problem 402 above the limit, and any error of `work`
 */
export async function withQueryReservation<T>(
  { db }: Pick<Gateway, 'db'>,
  query: ReservedQuery,
  work: () => Promise<T>,
): Promise<T> {
  await reserveQuery(db, query.reservation);
  return runReservedQuery(db, query, work);
}

/** Describes a query that is counted while the resources that it needs, such as its agent, are being loaded. */
interface LoadingQuery<Resources> extends ReservedQuery {
  readonly loading: Promise<Resources>;
  /**
   * Aborts when the client disconnects or the service stops. The reason of the signal is the error of the aborted
   * query.
   */
  readonly signal: AbortSignal;
}

/**
 * Counts a query while the resources that it needs are loaded, then runs it as `withQueryReservation` does. The query
 * is not counted if the resources cannot be loaded, or if the query is aborted before `work` is called.
 *
 * @throws the error of `loading`; otherwise the reason of `signal`, Problem 402 above the limit, or any error of `work`
 */
export async function withQueryReservationAndResources<Resources, T>(
  { db }: Pick<Gateway, 'db'>,
  query: LoadingQuery<Resources>,
  work: (resources: Resources) => Promise<T>,
): Promise<T> {
  const { reservation, loading, signal } = query;
  const [reserved, loaded] = await Promise.allSettled([reserveQuery(db, reservation), loading]);
  if (loaded.status === 'rejected' || signal.aborted) {
    if (reserved.status === 'fulfilled') await releaseFailedQuery(db, query);
    throw loaded.status === 'rejected' ? loaded.reason : signal.reason;
  }
  if (reserved.status === 'rejected') throw reserved.reason;
  return runReservedQuery(db, query, async () => work(loaded.value));
}

/** Runs a counted query. If it fails, subtracts it from the counts, unless its client has disconnected. */
async function runReservedQuery<T>(db: Queries, query: ReservedQuery, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!query.client.hasDisconnected()) await releaseFailedQuery(db, query);
    throw error;
  }
}

/**
 * Subtracts a failed query from the counts. Never rejects, because an error here must not hide the error of the query.
 */
export async function releaseFailedQuery(
  db: Queries,
  { reservation, log }: Pick<ReservedQuery, 'reservation' | 'log'>,
): Promise<void> {
  await releaseQuery(db, reservation).catch((error: unknown) => {
    log.warn(
      { err: redactQueryParameters(error) },
      'failed to subtract a failed query from the usage; the query stays counted',
    );
  });
}
