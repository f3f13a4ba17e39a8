import type { Gateway } from '../gateway.js';
import { authenticateKey, authenticateAndCountRefusal, createKeyCaller } from '../keys/authenticate-key.js';
import { requireAdmission } from '../rate-limit/require-admission.js';
import { insertSession, type SessionRow } from './session-repository.js';
import { redeemSignInCode } from './sign-in-codes.js';

/** The credential of a sign-in: an API key or a one-time code. */
export type SignIn = { readonly apiKey: string } | { readonly code: string };

type SignInParts = Pick<Gateway, 'db' | 'keys' | 'clock' | 'refusals' | 'rateLimiter'>;

/**
 * Starts a session. The limit of requests without a valid API key also applies to refused sign-ins.
 *
 * @param address the client's IP address
 * @returns the token for the cookie, and the session
 * @throws Problem 401 for a key that is unknown, revoked or expired, or an unknown code; 410 for a code that was used
 *   or has expired; 429 for too many requests
 */
export async function startSession(
  gateway: SignInParts,
  signIn: SignIn,
  address: string | undefined,
): Promise<{ readonly token: string; readonly session: SessionRow }> {
  const { db, clock, rateLimiter } = gateway;
  return authenticateAndCountRefusal(gateway, address, async () => {
    if ('apiKey' in signIn) {
      const { row } = await authenticateKey(gateway, signIn.apiKey.trim());
      if (rateLimiter !== undefined) requireAdmission(rateLimiter.admit(row.id));
      return insertSession(db, row, clock());
    }
    return db.transaction(async (tx) => {
      const key = await redeemSignInCode(tx, signIn.code.trim(), clock());
      createKeyCaller(key, clock());
      return insertSession(tx, key, clock());
    });
  });
}
