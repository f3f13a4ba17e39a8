import { webhookQueue } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { organizations } from '../database/tables/organizations.js';
import { webhookDeliveries } from '../database/tables/webhook-deliveries.js';
import { webhooks } from '../database/tables/webhooks.js';
import type { Tenant } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { createWebhook, writeWebhookEvents } from '../testing/webhooks.js';
import { claimDeliveries, MAX_PER_ORGANIZATION, MAX_PER_WEBHOOK } from './claim-deliveries.js';
import {
  deleteDelivery,
  LEASE_MS,
  releaseDeliveryClaim,
  releaseUnenqueuedClaims,
  renewDeliveryClaim,
  retryDelivery,
} from './deliveries.js';

let now = new Date();
const used = setUpTenant({ clock: () => now });
const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};
const claimPayloads = async () => (await claimDeliveries(used.test.gateway.db, now)).map(({ payload }) => payload);
const claimIds = async () => (await claimPayloads()).map(({ eventId }) => eventId);
const writeDeliveries = async (webhookId: string, count: number, tenant: Tenant = used.tenant) =>
  writeWebhookEvents(used.test, tenant, webhookId, count);

beforeEach(async () => {
  await used.test.gateway.db.delete(webhookDeliveries);
});

describe('claimDeliveries()', () => {
  it('claimDeliveries claims at most two deliveries per webhook at a time, and a third one after one of the two has ended', async () => {
    const { db } = used.test.gateway;
    const webhookId = await createWebhook(used.tenant);
    const [first, second, third] = await writeDeliveries(webhookId, 4);
    expect(await claimIds()).toEqual([first, second]);
    expect(await claimPayloads()).toEqual([]);
    await deleteDelivery(db, { webhookId, eventId: first ?? '' });
    expect(await claimIds()).toEqual([third]);
    expect(MAX_PER_WEBHOOK).toBe(2);
  });

  it('claimDeliveries claims at most four deliveries per organization at a time, beginning with one delivery of each webhook', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push(await createWebhook(used.tenant));
    for (const webhookId of ids) await writeDeliveries(webhookId, 3);
    const claimed = await claimPayloads();
    expect(claimed).toHaveLength(MAX_PER_ORGANIZATION);
    expect(new Set(claimed.slice(0, 3).map(({ webhookId }) => webhookId))).toEqual(new Set(ids));
    expect(await claimPayloads()).toEqual([]);
    expect(MAX_PER_ORGANIZATION).toBe(4);
  });

  it('claimDeliveries alternates between organizations, even if one organization has many more deliveries', async () => {
    const other = await used.test.createTenant();
    for (let count = 0; count < 2; count += 1) await writeDeliveries(await createWebhook(used.tenant), 50);
    advanceClock(1);
    const [late] = await writeDeliveries(await createWebhook(other), 1, other);
    expect((await claimIds()).indexOf(late ?? '')).toBe(1);
  });

  it('claimDeliveries claims deliveries in the order of the times at which they are due', async () => {
    const webhookId = await createWebhook(used.tenant);
    const [first, second] = await writeDeliveries(webhookId, 2);
    advanceClock(1);
    const [third, fourth] = await writeDeliveries(webhookId, 2);
    await claimPayloads();
    const key = { webhookId, attempt: 1 };
    await retryDelivery(used.test.gateway.db, { ...key, eventId: first ?? '' }, now);
    await deleteDelivery(used.test.gateway.db, { webhookId, eventId: second ?? '' });
    expect(await claimIds()).toEqual([third, fourth]);
    for (const eventId of [third, fourth])
      await deleteDelivery(used.test.gateway.db, { webhookId, eventId: eventId ?? '' });
    expect(await claimPayloads()).toEqual([]);
    advanceClock(10_000);
    expect(await claimPayloads()).toMatchObject([{ eventId: first, attempt: 2 }]);
  });

  it('claimDeliveries claims no delivery of a failing webhook before the end of its pause, and then one at a time', async () => {
    const { db } = used.test.gateway;
    const webhookId = await createWebhook(used.tenant);
    const [first] = await writeDeliveries(webhookId, 3);
    await db
      .update(webhooks)
      .set({ failures: 1, pausedUntil: new Date(now.getTime() + 1) })
      .where(eq(webhooks.id, webhookId));
    expect(await claimPayloads()).toEqual([]);
    advanceClock(1);
    expect(await claimIds()).toEqual([first]);
    expect(await claimPayloads()).toEqual([]);
  });

  it('claimDeliveries claims no delivery of a disabled webhook', async () => {
    const webhookId = await createWebhook(used.tenant);
    await writeDeliveries(webhookId, 1);
    await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: false });
    expect(await claimPayloads()).toEqual([]);
    await used.tenant.api.patch(`/api/webhooks/${webhookId}`).send({ enabled: true });
    expect(await claimPayloads()).toHaveLength(1);
  });

  it('claimDeliveries claims no delivery of a deleted organization, and no test event', async () => {
    const webhookId = await createWebhook(used.tenant);
    await writeDeliveries(webhookId, 1);
    await used.tenant.api.post(`/api/webhooks/${webhookId}/test`);
    const isOwn = eq(organizations.id, used.tenant.organizationId);
    await used.test.gateway.db.update(organizations).set({ removedAt: now }).where(isOwn);
    expect(await claimPayloads()).toEqual([]);
  });

  it('if several gateways call claimDeliveries at once, each delivery is claimed once, and the limit per organization applies', async () => {
    for (let count = 0; count < 3; count += 1) await writeDeliveries(await createWebhook(used.tenant), 3);
    const claimed = (await Promise.all(Array.from({ length: 8 }, claimIds))).flat();
    expect(claimed).toHaveLength(MAX_PER_ORGANIZATION);
    expect(new Set(claimed).size).toBe(MAX_PER_ORGANIZATION);
  });
});

describe('a claim of a delivery', () => {
  it('if a gateway is killed, its claim on a delivery expires, and the next attempt has another job id', async () => {
    const [eventId] = await writeDeliveries(await createWebhook(used.tenant), 1);
    const [first] = await claimPayloads();
    advanceClock(LEASE_MS - 1);
    expect(await claimPayloads()).toEqual([]);
    advanceClock(1);
    const [second] = await claimPayloads();
    expect([first, second]).toMatchObject([
      { eventId, attempt: 1 },
      { eventId, attempt: 2 },
    ]);
    if (first === undefined || second === undefined) throw new Error('expected two claims');
    const { buildId } = webhookQueue.jobs['deliver-webhook'];
    expect(buildId(first)).not.toBe(buildId(second));
    expect(await renewDeliveryClaim(used.test.gateway.db, first, now)).toBe(false);
    expect(await renewDeliveryClaim(used.test.gateway.db, second, now)).toBe(true);
  });

  it('renewDeliveryClaim extends the claim on a delivery when an attempt starts', async () => {
    await writeDeliveries(await createWebhook(used.tenant), 1);
    const [first] = await claimPayloads();
    if (first === undefined) throw new Error('expected a claim');
    advanceClock(LEASE_MS - 1);
    await renewDeliveryClaim(used.test.gateway.db, first, now);
    advanceClock(LEASE_MS - 1);
    expect(await claimPayloads()).toEqual([]);
  });

  it('if the claim on a delivery is released, the delivery keeps its place in the order of claims', async () => {
    const { db } = used.test.gateway;
    const [first, second] = await writeDeliveries(await createWebhook(used.tenant), 5);
    const claimed = await claimPayloads();
    await releaseUnenqueuedClaims(db, claimed);
    const again = await claimPayloads();
    expect(again).toMatchObject([
      { eventId: first, attempt: 1 },
      { eventId: second, attempt: 1 },
    ]);
    for (const each of again) await releaseDeliveryClaim(db, each);
    expect(await claimPayloads()).toMatchObject([
      { eventId: first, attempt: 2 },
      { eventId: second, attempt: 2 },
    ]);
  });
});
