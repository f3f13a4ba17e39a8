import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isLockTimeout } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { problem } from '../problems.js';
import type { Claim } from './claim.js';

export const RETENTION_MS = 24 * 3_600_000;

/** How long a request waits for an equal one that is in progress, in milliseconds. */
const LOCK_TIMEOUT_MS = 20_000;
/** After this time without a statement, the database rolls back the transaction of a gateway, in milliseconds. */
const LEASE_MS = 60_000;

/**
 * Takes a claim in a transaction, which serves as its lease. A concurrent equal request waits until the transaction ends. It then
 * finds the response, or takes the claim itself when there is none, because the holder failed or crashed.
 *
 * @returns the response to an earlier request; undefined when this transaction must create it
 * @throws Problem 409
 */
export async function acquireClaim(
  tx: Queries,
  claim: Claim,
  now: Date,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<string | undefined> {
  const lease = `set local idle_in_transaction_session_timeout = ${LEASE_MS}`;
  await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}; ${lease}`));
  const isTaken = await insertClaim(tx, claim, now);
  await tx.execute(sql`set local lock_timeout to default`);
  return isTaken ? undefined : findResponse(tx, claim, now);
}

/**
 * Finds the response to an earlier equal request. Undefined: there is none. @throws Problem 409 for the key of another request
 */
export async function findResponse(db: Queries, claim: Claim, now: Date): Promise<string | undefined> {
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

/** Stores the response for repeated requests. @param tx the transaction that took the claim and created the resource */
export async function storeResponse(tx: Queries, claim: Claim, response: string): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ answer: encryptResponse(claim, response) })
    .where(buildClaimCondition(claim));
}

/** Encrypts a response with the API key of the request. */
export function encryptResponse(claim: Claim, response: string): string {
  return claim.secretCipher.encrypt(response, buildCipherContext(claim));
}

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

/** Builds the condition that selects the row of a claim. */
export function buildClaimCondition({ apiKeyId, route, keyHash }: Claim): SQL | undefined {
  return and(
    eq(idempotencyKeys.apiKeyId, apiKeyId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.keyHash, keyHash),
  );
}

function buildCipherContext({ apiKeyId, route, keyHash }: Claim): string {
  return `${apiKeyId}/${route}/${keyHash}`;
}
