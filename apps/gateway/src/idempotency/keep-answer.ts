import { and, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isLockTimeout } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import { problem } from '../problems.js';
import type { Answer } from './answer.js';
import type { Claim } from './claim.js';

export const KEPT_MS = 24 * 3_600_000;

/** How long a request waits for an equal one that is under way, in milliseconds. */
const PATIENCE_MS = 20_000;
/** A gateway that says nothing for so long inside of its transaction is gone: the database ends it, and undoes what it did. */
const LEASE_MS = 60_000;

/**
 * Takes a claim inside of a transaction, which is its lease: an equal request that comes meanwhile waits until the transaction
 * ends, and finds the answer, or takes the claim itself when there is none, whether the holder failed or its process died.
 *
 * @returns the answer that was given before; undefined: this transaction is to give it
 * @throws Problem 409
 */
export async function takeClaim(
  tx: Queries,
  claim: Claim,
  now: Date,
  patienceMs = PATIENCE_MS,
): Promise<Answer | undefined> {
  const lease = `set local idle_in_transaction_session_timeout = ${LEASE_MS}`;
  await tx.execute(sql.raw(`set local lock_timeout = ${patienceMs}; ${lease}`));
  const isMine = await isFirst(tx, claim, now);
  await tx.execute(sql`set local lock_timeout to default`);
  return isMine ? undefined : findAnswer(tx, claim, now);
}

/** @returns the answer that was given before, if any @throws Problem 409 */
export async function findAnswer(db: Queries, claim: Claim, now: Date): Promise<Answer | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(isClaimed(claim));
  if (row === undefined || row.answer === null || row.expiresAt <= now) return undefined;
  if (row.fingerprint !== claim.fingerprint) {
    throw problem(
      'idempotency_key_reused',
      `This Idempotency-Key was used for another request to ${claim.route} within the last 24 hours. A new request needs a new key.`,
    );
  }
  return JSON.parse(claim.sealing.open(row.answer, ownerOf(claim))) as Answer; // sealed: it is what was written
}

/** @param tx the transaction that took the claim and did what was asked */
export async function keepAnswer(tx: Queries, claim: Claim, answer: Answer): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ answer: sealAnswer(claim, answer) })
    .where(isClaimed(claim));
}

/** Encrypts an answer for the one who asked. */
export function sealAnswer(claim: Claim, answer: Answer): string {
  return claim.sealing.seal(JSON.stringify(answer), ownerOf(claim));
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
