import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';
import { findValidKeyIds } from '../keys/key-repository.js';
import { findOpenSessions } from '../sessions/session-repository.js';
import type { Subscriber } from './subscriber.js';

/**
 * Ends the streams whose API keys were revoked or have expired, whose sessions have ended, or whose organization was
 * deleted. If the database is unavailable, logs the error and ends no stream.
 */
export async function endInvalidStreams(
  { db, log, clock }: Pick<Gateway, 'db' | 'log' | 'clock'>,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const keyIds = new Set(subscribers.map(({ watched }) => watched.keyId));
  const hashes = new Set(subscribers.flatMap(({ watched }) => watched.sessionHash ?? []));
  if (keyIds.size === 0) return;
  try {
    const keys = new Set(await findValidKeyIds(db, [...keyIds], clock()));
    const sessions = new Set(hashes.size === 0 ? [] : await findOpenSessions(db, [...hashes], clock()));
    for (const subscriber of subscribers) {
      const { keyId, sessionHash } = subscriber.watched;
      if (!keys.has(keyId) || (sessionHash !== undefined && !sessions.has(sessionHash))) subscriber.end();
    }
  } catch (error) {
    log.warn(
      { err: redactQueryParameters(error) },
      'failed to check the API keys and sessions of event streams: the streams stay open until the next check',
    );
  }
}
