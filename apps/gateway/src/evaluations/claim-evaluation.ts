import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { evaluations, type EvaluationRow } from '../database/tables/evaluations.js';
import { organizations } from '../database/tables/organizations.js';

/**
 * Time in milliseconds after which a claim ends unless the gateway renews it. Another gateway can then resume the
 * evaluation.
 */
export const LEASE_MS = 30_000;

/** Identifies the claim of a gateway on an evaluation: the id of the evaluation, and the number of the claim. */
export type Claim = Pick<EvaluationRow, 'id' | 'claim'>;

/**
 * Claims the next evaluation. The evaluations of an organization run one after the other, oldest first. Organizations
 * take turns: next is the organization whose oldest evaluation has waited longest since its last turn. Deleted
 * organizations get no turn.
 *
 * @returns undefined if no evaluation can be claimed
 */
export async function claimEvaluation(db: Queries, now: Date): Promise<EvaluationRow | undefined> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const next = sql`(
    select e.id from ${evaluations} e
    where e.ended_at is null and coalesce(e.claimed_until <= ${at}, true)
      and exists (select 1 from ${organizations} o where o.id = e.organization_id and o.removed_at is null)
      and not exists (
        select 1 from ${evaluations} older
        where older.organization_id = e.organization_id and older.ended_at is null and older.id < e.id)
    order by e.served_at, e.id limit 1 for update skip locked)`;
  const [row] = await db
    .update(evaluations)
    .set({
      status: 'running',
      claimedUntil: getEvaluationLeaseEnd(now),
      claim: sql`${evaluations.claim} + 1`,
      servedAt: now,
      startedAt: sql`coalesce(${evaluations.startedAt}, ${at})`,
    })
    .where(sql`${evaluations.id} = ${next}`)
    .returning();
  return row;
}

/** Extends a claim to `now` plus `LEASE_MS`. @returns false if the evaluation has ended or has a later claim */
export async function renewEvaluationClaim(db: Queries, claim: Claim, now: Date): Promise<boolean> {
  const renewed = await db
    .update(evaluations)
    .set({ claimedUntil: getEvaluationLeaseEnd(now) })
    .where(buildClaimCondition(claim))
    .returning({ id: evaluations.id });
  return renewed.length > 0;
}

/** Ends a claim, so that any gateway can continue with the evaluation. */
export async function releaseEvaluationClaim(db: Queries, claim: Claim, now: Date): Promise<void> {
  await db.update(evaluations).set({ claimedUntil: null, servedAt: now }).where(buildClaimCondition(claim));
}

/** Builds the condition that selects the evaluation of a claim if it has not ended and has no later claim. */
export function buildClaimCondition({ id, claim }: Claim): SQL | undefined {
  return and(eq(evaluations.id, id), eq(evaluations.claim, claim), isNull(evaluations.endedAt));
}

function getEvaluationLeaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
