import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isLockTimeout } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { problem } from '../problems.js';
import type { Claim } from './claim.js';

/** Time for which the response to a request is stored for repeated requests, in milliseconds. */
export const RETENTION_MS = 24 * 3_600_000;

/** Maximum time for which a request waits for an equal request that is in progress, in milliseconds. */
const LOCK_TIMEOUT_MS = 20_000;
/**
 * Time in milliseconds after which the database rolls back a transaction in which the gateway sends no further
 * statement.
 */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Acquires the exclusive right to process a request with an `Idempotency-Key` until the transaction ends. A concurrent
 * equal request waits until that transaction ends. The waiting request then finds the stored response, or acquires the
 * right itself if the first request failed or its gateway crashed.
 *
 * @returns the stored response to an earlier request; undefined if the caller must process the request
 * @throws Problem 409 if the key belongs to another request, or if an equal request is still in progress after
 *   `lockTimeoutMs`
 */
export async function acquireIdempotencyClaim(
  tx: Queries,
  claim: Claim,
  now: Date,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<string | undefined> {
  const lease = `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`;
  await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}; ${lease}`));
  const isAcquired = await insertClaim(tx, claim, now);
  await tx.execute(sql`set local lock_timeout to default`);
  return isAcquired ? undefined : findStoredResponse(tx, claim, now);
}

/**
 * Returns the stored response to an earlier equal request, or undefined if there is none.
 *
 * @throws Problem 409 if the key was used for a request with other content
 */
export async function findStoredResponse(db: Queries, claim: Claim, now: Date): Promise<string | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(buildClaimCondition(claim));
  if (row === undefined || row.answer === null || row.expiresAt <= now) return undefined;
  if (row.fingerprint !== claim.fingerprint) {
    throw problem(
      'idempotency_key_reused',
      `This Idempotency-Key was used for another request to ${claim.route} within the last 24 hours. A new request needs a new key.`,
    );
  }
  return claim.secretCipher.decrypt(row.answer, buildCipherContext(claim));
}

/**
 * Stores a response for repeated requests.
 *
 * @param tx the transaction that acquired the claim and created the resource
 */
export async function storeResponse(tx: Queries, claim: Claim, response: string): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ answer: encryptResponse(claim, response) })
    .where(buildClaimCondition(claim));
}

/** The row of a claim, with the response that repeated requests receive. */
export type CompletedClaim = typeof idempotencyKeys.$inferSelect;

/** Builds the row of a claim with its response, for a statement that also inserts the created resource. */
export function buildCompletedClaim(claim: Claim, response: string, now: Date): CompletedClaim {
  const { organizationId, apiKeyId, route, keyHash, fingerprint } = claim;
  const expiresAt = new Date(now.getTime() + RETENTION_MS);
  return {
    ...{ organizationId, apiKeyId, route, keyHash, fingerprint },
    ...{ answer: encryptResponse(claim, response), expiresAt },
  };
}

/** Encrypts a response with a secret that is derived from the API key or the session token of its request. */
export function encryptResponse(claim: Claim, response: string): string {
  return claim.secretCipher.encrypt(response, buildCipherContext(claim));
}

/**
 * Inserts the row of a claim, or overwrites the row of an expired claim. Waits while another transaction is inserting
 * the same row.
 *
 * @returns false if the row of an equal claim exists and has not expired
 * @throws Problem 409 after the lock timeout
 */
async function insertClaim(tx: Queries, claim: Claim, now: Date): Promise<boolean> {
  const { organizationId, apiKeyId, route, keyHash, fingerprint } = claim;
  const newClaim = { fingerprint, answer: null, expiresAt: new Date(now.getTime() + RETENTION_MS) };
  try {
    const inserted = await tx
      .insert(idempotencyKeys)
      .values({ organizationId, apiKeyId, route, keyHash, ...newClaim })
      .onConflictDoUpdate({
        target: [idempotencyKeys.apiKeyId, idempotencyKeys.route, idempotencyKeys.keyHash],
        set: newClaim,
        setWhere: lte(idempotencyKeys.expiresAt, now),
      })
      .returning({ keyHash: idempotencyKeys.keyHash });
    return inserted.length > 0;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw problem('idempotency_key_in_use', 'A request with this Idempotency-Key is in progress. Try again later.', {
      cause: error,
      headers: { 'Retry-After': '5' },
    });
  }
}

/** Builds the SQL condition that selects the database row of a claim. */
export function buildClaimCondition({ apiKeyId, route, keyHash }: Claim): SQL | undefined {
  return and(
    eq(idempotencyKeys.apiKeyId, apiKeyId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.keyHash, keyHash),
  );
}

/**
 * Builds the data that binds an encrypted response to its claim, so that it cannot be decrypted for any other claim.
 */
function buildCipherContext({ apiKeyId, route, keyHash }: Claim): string {
  return `${apiKeyId}/${route}/${keyHash}`;
}
