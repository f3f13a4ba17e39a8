import { type DeliverWebhook, TEST_EVENT } from '@quarry/contracts';
import { sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { webhooks } from '../database/tables/webhooks.js';
import { getDeliveryLeaseEnd } from './deliveries.js';

/** Maximum number of deliveries in progress per webhook. While the receiver of a webhook fails, the maximum is one. */
export const MAX_PER_WEBHOOK = 2;
/** Maximum number of deliveries in progress per organization. */
export const MAX_PER_ORGANIZATION = 4;
/** Maximum number of deliveries that one call of `claimDeliveries` claims. */
export const CLAIM_BATCH = 200;

/**
 * Number of the PostgreSQL advisory lock that a gateway holds while it claims deliveries: the ASCII codes of `whclam`.
 */
const LOCK = 0x77_68_63_6c_61_6d;
/**
 * Maximum idle time of the transaction that holds the lock. After this time, PostgreSQL releases the lock of a gateway
 * that hangs or was killed.
 */
const IDLE_TIMEOUT = '5s';

/** A delivery that a gateway has claimed, with the payload of the job that makes the next attempt. */
export interface ClaimedDelivery {
  readonly payload: DeliverWebhook & { readonly attempt: number };
  readonly traceparent: string | null;
}

/** SQL condition for deliveries that have not ended. */
const IS_WAITING = sql`next_attempt_at is not null`;
// The event type is a literal instead of a parameter, so that PostgreSQL can use the indexes with the same condition.
const IS_TEST = sql.raw(`type = '${TEST_EVENT}'`);

/**
 * Builds the recursive common table expression `waiting`, which contains each webhook with matching deliveries once. It
 * needs one index lookup per webhook, so that the time does not depend on the number of deliveries. Source: PostgreSQL
 * wiki, "Loose indexscan".
 *
 * @param condition selects deliveries; PostgreSQL needs an index on `webhook_id` of the deliveries that meet the
 *   condition
 */
export function buildLooseWebhookScan(condition: SQL): SQL {
  return sql`waiting as (
    (select webhook_id, organization_id from ${webhookDeliveries} where ${condition} order by webhook_id limit 1)
  union all
    select next.webhook_id, next.organization_id from waiting cross join lateral (
      select d.webhook_id, d.organization_id from ${webhookDeliveries} d
      where d.webhook_id > waiting.webhook_id and ${condition} order by d.webhook_id limit 1) next
  )`;
}

/**
 * Claims due deliveries for one attempt each, within the maximum numbers per webhook and per organization.
 * Organizations take turns, and a webhook's deliveries are claimed in the order in which they are due. Test events come
 * first, including test events of paused and disabled webhooks. Deliveries of deleted organizations are not claimed. A
 * lock lets gateways claim only one after the other, so that the maximum numbers are never exceeded.
 *
 * @returns the deliveries, in the order in which they are to be enqueued
 */
export async function claimDeliveries(db: Queries, now: Date): Promise<readonly ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config('idle_in_transaction_session_timeout', ${IDLE_TIMEOUT}, true), pg_advisory_xact_lock(${LOCK})`,
    );
    const { rows } = await tx.execute<ClaimedRow>(buildClaimStatement(now));
    return rows
      .toSorted((a, b) => Number(a.position) - Number(b.position))
      .map(({ payload, attempts: attempt, traceparent }) => ({ payload: { ...payload, attempt }, traceparent }));
  });
}

interface ClaimedRow extends Record<string, unknown> {
  readonly payload: Pick<DeliverWebhook, keyof DeliverWebhook>;
  readonly attempts: number;
  readonly traceparent: string | null;
  /** The position of the delivery in the order of enqueueing: a bigint as text. */
  readonly position: string;
}

/**
 * Builds the statement that claims deliveries. Its subqueries are:
 * - `claimed`, `busy`: the number of deliveries in progress per webhook, and per organization.
 * - `receivers`: the webhooks that may receive deliveries now.
 * - `due`: the next deliveries of these webhooks; `slot` numbers them per webhook, after the deliveries in progress.
 * - `tests`: one due test event of each webhook that has no test event in progress.
 * - `turns`: the deliveries of `due` and `tests`; `turn` numbers them per organization, after the deliveries in
 *   progress.
 */
function buildClaimStatement(now: Date): ReturnType<typeof sql> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const leaseEnd = sql`${getDeliveryLeaseEnd(now).toISOString()}::timestamptz`;
  return sql`
    with recursive ${buildLooseWebhookScan(IS_WAITING)},
    claimed as materialized (
      select organization_id, webhook_id, count(*) as in_flight from ${webhookDeliveries}
      where claimed_until > ${at} group by organization_id, webhook_id
    ),
    busy as materialized (
      select organization_id, sum(in_flight) as in_flight from claimed group by organization_id
    ),
    receivers as (
      select waiting.*, coalesce(claimed.in_flight, 0) as in_flight,
        (case when w.failures > 0 then 1 else ${MAX_PER_WEBHOOK} end) - coalesce(claimed.in_flight, 0) as free
      from waiting join ${webhooks} w on w.id = waiting.webhook_id
      join ${organizations} o on o.id = w.organization_id and o.removed_at is null
      left join claimed on claimed.webhook_id = waiting.webhook_id
      where w.enabled and coalesce(w.paused_until <= ${at}, true)
    ),
    due as (
      select receivers.*, next.event_id, next.next_attempt_at, receivers.in_flight + next.place as slot
      from receivers cross join lateral (
        select d.event_id, d.next_attempt_at, row_number() over (order by d.next_attempt_at, d.event_id) as place
        from ${webhookDeliveries} d
        where d.webhook_id = receivers.webhook_id and d.next_attempt_at <= ${at} and not (${IS_TEST})
        order by d.next_attempt_at, d.event_id limit ${MAX_PER_WEBHOOK}) next
      where next.place <= receivers.free
    ),
    tests as (
      select distinct on (d.webhook_id) d.webhook_id, d.organization_id, d.event_id, d.next_attempt_at, 0 as slot
      from ${webhookDeliveries} d join ${webhooks} w on w.id = d.webhook_id
      join ${organizations} o on o.id = w.organization_id and o.removed_at is null
      where ${IS_TEST} and ${IS_WAITING} and d.next_attempt_at <= ${at} and not exists (
        select 1 from ${webhookDeliveries} other where other.claimed_until > ${at} and other.webhook_id = d.webhook_id
          and other.organization_id = d.organization_id and other.type = ${TEST_EVENT})
      order by d.webhook_id, d.next_attempt_at, d.event_id
    ),
    turns as (
      select candidates.*, coalesce(busy.in_flight, 0) + row_number()
        over (partition by candidates.organization_id order by slot, next_attempt_at, event_id) as turn
      from (
        select webhook_id, organization_id, event_id, next_attempt_at, slot from due union all select * from tests
      ) candidates left join busy on busy.organization_id = candidates.organization_id
    ),
    chosen as (
      select webhook_id, event_id, row_number() over (order by turn, next_attempt_at, event_id) as position
      from turns where turn <= ${MAX_PER_ORGANIZATION}
      order by position limit ${CLAIM_BATCH}
    )
    update ${webhookDeliveries} d
    set attempts = d.attempts + 1, claimed_until = ${leaseEnd}, next_attempt_at = ${leaseEnd}
    from chosen where d.webhook_id = chosen.webhook_id and d.event_id = chosen.event_id
    returning d.payload, d.attempts, d.traceparent, chosen.position`;
}
