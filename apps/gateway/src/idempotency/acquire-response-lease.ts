import { and, isNull, lte } from 'drizzle-orm';
import { redactQueryParameters } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import type { Claim } from './claim.js';
import { findStoredResponse, buildClaimCondition, RETENTION_MS, encryptResponse } from './store-response.js';

/** The exclusive right to process a request that takes too long for one database transaction. */
export interface ResponseLease {
  /** Stores the response, which repeated requests with the same `Idempotency-Key` receive. */
  store(response: string): Promise<void>;
  /** Ends the lease. If no response was stored, a repetition of the request is processed like a new request. */
  end(): Promise<void>;
}

/**
 * Duration of a lease in milliseconds. If the gateway with the lease crashes, another gateway can process a repeated
 * request after this time.
 */
const LEASE_MS = 60_000;
/** Interval at which a gateway renews the lease of a request, in milliseconds. */
const RENEW_INTERVAL_MS = 20_000;

type LeaseDependencies = Pick<Gateway, 'db' | 'clock' | 'log'>;

/**
 * Acquires the lease of a request with an `Idempotency-Key`. Holds no database connection during the lease, unlike
 * `acquireIdempotencyClaim`. Refuses a concurrent equal request instead of letting it wait, because the answer of a
 * model may take minutes.
 *
 * @returns the stored response to an earlier equal request, or the lease
 * @throws Problem 409 if the key belongs to another request, or while an equal request is in progress
 */
export async function acquireResponseLease(
  gateway: LeaseDependencies,
  claim: Claim,
  renewMs = RENEW_INTERVAL_MS,
): Promise<string | ResponseLease> {
  const { db, clock } = gateway;
  const getResponseLeaseEnd = (): Date => new Date(clock().getTime() + LEASE_MS);
  const { organizationId, apiKeyId, route, keyHash, fingerprint } = claim;
  const leased = { fingerprint, answer: null, expiresAt: getResponseLeaseEnd() };
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ organizationId, apiKeyId, route, keyHash, ...leased })
    .onConflictDoUpdate({
      target: [idempotencyKeys.apiKeyId, idempotencyKeys.route, idempotencyKeys.keyHash],
      set: leased,
      setWhere: lte(idempotencyKeys.expiresAt, clock()),
    })
    .returning({ keyHash: idempotencyKeys.keyHash });
  if (inserted.length === 0) return (await findStoredResponse(db, claim, clock())) ?? refuseConcurrentRequest();
  const isLeased = and(buildClaimCondition(claim), isNull(idempotencyKeys.answer));
  const stopRenewing = startLeaseRenewal(gateway, renewMs, async () => {
    await db.update(idempotencyKeys).set({ expiresAt: getResponseLeaseEnd() }).where(isLeased);
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

/** Refuses a request while an equal request is in progress. @throws Problem 409 */
function refuseConcurrentRequest(): never {
  throw problem('idempotency_key_in_use', 'A request with this Idempotency-Key is in progress. Try again later.', {
    headers: { 'Retry-After': '5' },
  });
}

/** Renews the lease of a request every `everyMs` milliseconds. @returns a function that stops the renewal */
function startLeaseRenewal({ log }: LeaseDependencies, everyMs: number, renew: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      log.warn({ err: redactQueryParameters(error) }, 'failed to renew the lease of a request with an Idempotency-Key');
    });
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}
