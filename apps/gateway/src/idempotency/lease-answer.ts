import { and, isNull, lte } from 'drizzle-orm';
import { redactQueryParameters } from '../database/query-error.js';
import { idempotencyKeys } from '../database/tables/idempotency-keys.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import type { Answer } from './answer.js';
import type { Claim } from './claim.js';
import { findAnswer, isClaimed, KEPT_MS, sealAnswer } from './keep-answer.js';

/** A claim on an answer that takes longer than a transaction may. */
export interface AnswerLease {
  /** Keeps the answer for repeated requests. */
  keep(answer: Answer): Promise<void>;
  /** Ends the lease. Without an answer that was kept, an equal request is carried out again. */
  end(): Promise<void>;
}

/** A gateway that does not renew its lease for so long is gone, and an equal request is carried out by another one. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

type Needed = Pick<Gateway, 'db' | 'clock' | 'log'>;

/**
 * Claims an answer for as long as it takes. Other than `takeClaim` it holds no database connection, and an equal request does not
 * wait: an answer of a model may take minutes.
 *
 * @returns the answer that was given before, or the lease
 * @throws Problem 409 for a key of another request, and while an equal request is under way
 */
export async function leaseAnswer(gateway: Needed, claim: Claim, renewMs = RENEW_MS): Promise<Answer | AnswerLease> {
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
  if (taken.length === 0) return (await findAnswer(db, claim, clock())) ?? refuseConcurrent();
  const isLeased = and(isClaimed(claim), isNull(idempotencyKeys.answer));
  const stopRenewing = repeat(gateway, renewMs, async () => {
    await db.update(idempotencyKeys).set({ expiresAt: expiresAt() }).where(isLeased);
  });
  return {
    keep: async (answer) => {
      const kept = { answer: sealAnswer(claim, answer), expiresAt: new Date(clock().getTime() + KEPT_MS) };
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
