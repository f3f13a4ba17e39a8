import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isLockTimeout } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { problem } from '../problems.js';
import type { Claim } from './claim.js';

export const KEPT_MS = 24 * 3_600_000;

/** How long a request waits for an equal one that is in progress, in milliseconds. */
const WAIT_MS = 20_000;
/** After so long without a statement the database ends a gateway's transaction and rolls it back. */
const LEASE_MS = 60_000;

/**
 * Takes a claim inside a transaction, which is its lease. An equal request that arrives meanwhile waits until the transaction
 * ends. It then finds the response, or takes the claim itself when there is none, whether the holder failed or its process died.
 *
 * @returns the response to an earlier request; undefined: this transaction is to create it
 * @throws Problem 409
 */
export async function takeClaim(tx: Queries, claim: Claim, now: Date, waitMs = WAIT_MS): Promise<string | undefined> {
  const lease = `set local idle_in_transaction_session_timeout = ${LEASE_MS}`;
  await tx.execute(sql.raw(`set local lock_timeout = ${waitMs}; ${lease}`));
  const isMine = await isFirst(tx, claim, now);
  await tx.execute(sql`set local lock_timeout to default`);
  return isMine ? undefined : findResponse(tx, claim, now);
}

/** Finds the response to an earlier equal request, if any. @throws Problem 409 for the key of another request */
export async function findResponse(db: Queries, claim: Claim, now: Date): Promise<string | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(isClaimed(claim));
  if (row === undefined || row.answer === null || row.expiresAt <= now) return undefined;
  if (row.fingerprint !== claim.fingerprint) {
    throw problem(
      'idempotency_key_reused',
      `This Idempotency-Key was used for another request to ${claim.route} within the last 24 hours. A new request needs a new key.`,
    );
  }
  return claim.secretCipher.decrypt(row.answer, ownerOf(claim));
}

/** Keeps a response for repeated requests. @param tx the transaction that took the claim and created what was requested */
export async function keepResponse(tx: Queries, claim: Claim, response: string): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ answer: encryptResponse(claim, response) })
    .where(isClaimed(claim));
}

/** Encrypts a response with the API key of the request. */
export function encryptResponse(claim: Claim, response: string): string {
  return claim.secretCipher.encrypt(response, ownerOf(claim));
}

async function isFirst(tx: Queries, claim: Claim, now: Date): Promise<boolean> {
  const { organizationId, apiKeyId, route, keyHash, fingerprint } = claim;
  const fresh = { fingerprint, answer: null, expiresAt: new Date(now.getTime() + KEPT_MS) };
  try {
    const taken = await tx
      .insert(idempotencyKeys)
      .values({ organizationId, apiKeyId, route, keyHash, ...fresh })
      .onConflictDoUpdate({
        target: [idempotencyKeys.apiKeyId, idempotencyKeys.route, idempotencyKeys.keyHash],
        set: fresh,
        setWhere: lte(idempotencyKeys.expiresAt, now),
      })
      .returning({ keyHash: idempotencyKeys.keyHash });
    return taken.length > 0;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw problem('idempotency_key_in_use', 'A request with this Idempotency-Key is still being carried out.', {
      cause: error,
      headers: { 'Retry-After': '5' },
    });
  }
}

/** Selects the row of a claim. */
export function isClaimed({ apiKeyId, route, keyHash }: Claim): SQL | undefined {
  return and(
    eq(idempotencyKeys.apiKeyId, apiKeyId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.keyHash, keyHash),
  );
}

function ownerOf({ apiKeyId, route, keyHash }: Claim): string {
  return `${apiKeyId}/${route}/${keyHash}`;
}
