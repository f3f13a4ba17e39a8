import { and, isNull, lte } from 'drizzle-orm';
import { redactQueryParameters } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import type { Claim } from './claim.js';
import { findResponse, buildClaimCondition, RETENTION_MS, encryptResponse } from './store-response.js';

/** The lease of a claim whose response takes longer than a transaction may. */
export interface ResponseLease {
  /** Stores the response for repeated requests. */
  store(response: string): Promise<void>;
  /** Ends the lease. Without a stored response, an equal request is processed again. */
  end(): Promise<void>;
}

/** A lease that is not renewed for this time expires, and another gateway can process an equal request. In milliseconds. */
const LEASE_MS = 60_000;
const RENEW_INTERVAL_MS = 20_000;

type LeaseDependencies = Pick<Gateway, 'db' | 'clock' | 'log'>;

/**
 * Leases a claim. Unlike `takeClaim`, it holds no database connection, and an equal request is refused instead of waiting,
 * because a model's answer may take minutes.
 *
 * @returns the response to an earlier request, or the lease
 * @throws Problem 409 for the key of another request, and while an equal request is in progress
 */
export async function leaseResponse(
  gateway: LeaseDependencies,
  claim: Claim,
  renewMs = RENEW_INTERVAL_MS,
): Promise<string | ResponseLease> {
  const { db, clock } = gateway;
  const expiresAt = (): Date => new Date(clock().getTime() + LEASE_MS);
  const { organizationId, apiKeyId, route, keyHash, fingerprint } = claim;
  const leased = { fingerprint, answer: null, expiresAt: expiresAt() };
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ organizationId, apiKeyId, route, keyHash, ...leased })
    .onConflictDoUpdate({
      target: [idempotencyKeys.apiKeyId, idempotencyKeys.route, idempotencyKeys.keyHash],
      set: leased,
      setWhere: lte(idempotencyKeys.expiresAt, clock()),
    })
    .returning({ keyHash: idempotencyKeys.keyHash });
  if (inserted.length === 0) return (await findResponse(db, claim, clock())) ?? refuseConcurrent();
  const isLeased = and(buildClaimCondition(claim), isNull(idempotencyKeys.answer));
  const stopRenewing = startLeaseRenewal(gateway, renewMs, async () => {
    await db.update(idempotencyKeys).set({ expiresAt: expiresAt() }).where(isLeased);
  });
  return {
    store: async (response) => {
      const stored = {
        answer: encryptResponse(claim, response),
        expiresAt: new Date(clock().getTime() + RETENTION_MS),
      };
      await db.update(idempotencyKeys).set(stored).where(isLeased);
    },
    end: async () => {
      stopRenewing();
      await db.delete(idempotencyKeys).where(isLeased);
    },
  };
}

function refuseConcurrent(): never {
  throw problem('idempotency_key_in_use', 'A request with this Idempotency-Key is in progress. Try again later.', {
    headers: { 'Retry-After': '5' },
  });
}

function startLeaseRenewal({ log }: LeaseDependencies, everyMs: number, renew: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      log.warn({ err: redactQueryParameters(error) }, 'the lease of a response could not be renewed');
    });
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}
