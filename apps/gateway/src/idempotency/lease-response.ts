import { and, isNull, lte } from 'drizzle-orm';
import { redactQueryParameters } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import type { Claim } from './claim.js';
import { findResponse, isClaimed, KEPT_MS, encryptResponse } from './keep-response.js';

/** A claim on a response that takes longer than a transaction may. */
export interface ResponseLease {
  /** Keeps the response for repeated requests. */
  keep(response: string): Promise<void>;
  /** Ends the lease. Without a response that was kept, an equal request is carried out again. */
  end(): Promise<void>;
}

/** A lease that is not renewed for so long expires, and an equal request is carried out by another gateway. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

type Needed = Pick<Gateway, 'db' | 'clock' | 'log'>;

/**
 * Claims a response for as long as it takes. Unlike `takeClaim` it holds no database connection, and an equal request does not
 * wait: a model's answer may take minutes.
 *
 * @returns the response to an earlier request, or the lease
 * @throws Problem 409 for the key of another request, and while an equal request is in progress
 */
export async function leaseResponse(
  gateway: Needed,
  claim: Claim,
  renewMs = RENEW_MS,
): Promise<string | ResponseLease> {
  const { db, clock } = gateway;
  const expiresAt = (): Date => new Date(clock().getTime() + LEASE_MS);
  const { organizationId, apiKeyId, route, keyHash, fingerprint } = claim;
  const leased = { fingerprint, answer: null, expiresAt: expiresAt() };
  const taken = await db
    .insert(idempotencyKeys)
    .values({ organizationId, apiKeyId, route, keyHash, ...leased })
    .onConflictDoUpdate({
      target: [idempotencyKeys.apiKeyId, idempotencyKeys.route, idempotencyKeys.keyHash],
      set: leased,
      setWhere: lte(idempotencyKeys.expiresAt, clock()),
    })
    .returning({ keyHash: idempotencyKeys.keyHash });
  if (taken.length === 0) return (await findResponse(db, claim, clock())) ?? refuseConcurrent();
  const isLeased = and(isClaimed(claim), isNull(idempotencyKeys.answer));
  const stopRenewing = repeat(gateway, renewMs, async () => {
    await db.update(idempotencyKeys).set({ expiresAt: expiresAt() }).where(isLeased);
  });
  return {
    keep: async (response) => {
      const kept = { answer: encryptResponse(claim, response), expiresAt: new Date(clock().getTime() + KEPT_MS) };
      await db.update(idempotencyKeys).set(kept).where(isLeased);
    },
    end: async () => {
      stopRenewing();
      await db.delete(idempotencyKeys).where(isLeased);
    },
  };
}

function refuseConcurrent(): never {
  throw problem('idempotency_key_in_use', 'A request with this Idempotency-Key is still being answered. Try again.', {
    headers: { 'Retry-After': '5' },
  });
}

function repeat({ log }: Needed, everyMs: number, renew: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      log.warn({ err: redactQueryParameters(error) }, 'the lease of an answer was not renewed');
    });
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}
