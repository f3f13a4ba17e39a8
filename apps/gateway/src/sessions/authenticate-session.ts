import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { type AuthenticatedKey, createKeyCaller } from '../keys/authenticate-key.js';
import { findSession, getIdleExpiry } from './session-repository.js';

/**
 * Authenticates a request by the token of a session. Loads the session and its API key for each request. So all
 * gateways refuse requests as soon as the session or the key becomes invalid.
 *
 * @throws Problem 401 for a session that has ended, or whose API key was revoked or has expired
 */
export async function authenticateSession(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  token: string,
): Promise<AuthenticatedKey> {
  const found = await findSession(db, token);
  if (found === undefined) throw problem('unauthorized', 'The session has ended. Sign in again.');
  const { session, key } = found;
  const now = clock();
  const caller = createKeyCaller(key, now);
  if (getIdleExpiry(session) <= now) throw problem('unauthorized', 'The session has expired. Sign in again.');
  return { caller: { ...caller, session }, row: key };
}
