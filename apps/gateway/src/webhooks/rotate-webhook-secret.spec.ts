import { createHmac, randomBytes } from 'node:crypto';
import { createSecretCipher } from '@quarry/encrypted-secrets';
import { eq } from 'drizzle-orm';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDeliveryConsumer } from '../consumers.js';
import { openWebhookHttpClient } from '../context.js';
import { webhooks } from '../database/tables/webhooks.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { getStringField } from '../testing/create-resources.js';
import { startWebhookReceiver, type Receiver } from '../testing/webhook-receiver.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { enqueueDeliveries, writeWebhookEvents } from '../testing/webhooks.js';
import { DISABLE_AFTER_MS, MIN_FAILURES_TO_DISABLE } from './receiver-state.js';
import { removeOldDeliveries } from './remove-old-deliveries.js';
import { PREVIOUS_SECRET_MS } from './rotate-webhook-secret.js';
import { encryptWebhookSecret, generateWebhookSecret } from './webhook-secret.js';

let now = new Date();
const settings = { ...TEST_SETTINGS, allowLoopback: { crawler: false, catalog: false, webhooks: true } };
const used = setUpTenant({ settings, webhookFetch: openWebhookHttpClient(settings), clock: () => now });
const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

let receiver: Receiver;
let path: string;
let id: string;
let original: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => {
  receiver.close();
});
beforeEach(async () => {
  const made = await used.tenant.api.post('/api/webhooks').send({ url: receiver.url });
  [id, original] = [getStringField(made, 'id'), getStringField(made, 'secret')];
  path = `/api/webhooks/${id}`;
});

const postRotation = async (query: object = {}): Promise<Response> =>
  used.tenant.api.post(`${path}/rotate-secret`).query(query);
const rotateSecret = async (query: object = {}): Promise<string> => getStringField(await postRotation(query), 'secret');

/** Encrypts a secret of the webhook with a key that no gateway has. */
const encryptWithLostKey = (): string => {
  const { organizationId } = used.tenant;
  return encryptWebhookSecret(createSecretCipher([randomBytes(32)]), { id, organizationId }, generateWebhookSecret());
};

/** Verifies a request as a receiver with one secret does. Source: Standard Webhooks 1.0, "Verifying signatures". */
function verifyRequest(secret: string, { headers, body }: Receiver['received'][number]): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature'])
    .split(' ')
    .some((each) => each === `v1,${expected}`);
}

/** Attempts all due deliveries once, and empties the list of received requests before. */
async function attemptDueDeliveries(): Promise<void> {
  receiver.received.length = 0;
  await enqueueDeliveries(used.test);
  const deliveries = startDeliveryConsumer(used.test.gateway);
  await used.test.queues.runAllJobs();
  await deliveries.close(0);
}

/**
 * Sends a test event. @returns for each secret, whether it verifies the request; and the number of signatures of the
 * request
 */
async function verifyEach(...secrets: readonly string[]): Promise<{ valid: readonly boolean[]; signatures: number }> {
  await used.tenant.api.post(`${path}/test`);
  await attemptDueDeliveries();
  const [request] = receiver.received;
  if (request === undefined) throw new Error('expected a request, found none');
  const signatures = String(request.headers['webhook-signature']).split(' ').length;
  return { valid: secrets.map((secret) => verifyRequest(secret, request)), signatures };
}

describe('POST /webhooks/{id}/rotate-secret', () => {
  it('POST /webhooks/{id}/rotate-secret returns the new secret, which GET /webhooks/{id} omits, and both the new and the replaced secret verify requests for a day', async () => {
    const rotated = await postRotation();
    expectDocumented(rotated, 'post', '/webhooks/{id}/rotate-secret');
    const secret = getStringField(rotated, 'secret');
    const expiresAt = new Date(now.getTime() + PREVIOUS_SECRET_MS).toISOString();
    expect(rotated.body).toEqual({ secret, previousSecretExpiresAt: expiresAt });
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(original);
    const shown = await used.tenant.api.get(path);
    expect(shown.body).toMatchObject({ previousSecretExpiresAt: expiresAt });
    expect(shown.text).not.toContain('whsec_');
    expect(await verifyEach(secret, original)).toEqual({ valid: [true, true], signatures: 2 });
    advanceClock(PREVIOUS_SECRET_MS - 1);
    expect(await verifyEach(secret, original)).toEqual({ valid: [true, true], signatures: 2 });
    advanceClock(1);
    expect(await verifyEach(secret, original)).toEqual({ valid: [true, false], signatures: 1 });
    expect((await used.tenant.api.get(path)).body).toMatchObject({ previousSecretExpiresAt: null });
  });

  it('the database contains no secret of a webhook in plain text, and no expired secret', async () => {
    const secret = await rotateSecret();
    const { db } = used.test.gateway;
    const loadWebhookRow = async () => (await db.select().from(webhooks).where(eq(webhooks.id, id)))[0];
    const row = JSON.stringify(await loadWebhookRow());
    for (const each of [secret, original]) expect(row).not.toContain(each.slice('whsec_'.length));
    expect(await loadWebhookRow()).toMatchObject({ previousSecrets: [{}] });
    advanceClock(PREVIOUS_SECRET_MS);
    await removeOldDeliveries(used.test.gateway);
    expect(await loadWebhookRow()).toMatchObject({ previousSecrets: [], previousSecretsUntil: null });
    expect(await verifyEach(secret, original)).toEqual({ valid: [true, false], signatures: 1 });
  });

  it('a rotation of a webhook secret is refused while two previous secrets are still valid', async () => {
    const second = await rotateSecret();
    advanceClock(1_000);
    const third = await rotateSecret();
    expect(await verifyEach(third, second, original)).toEqual({ valid: [true, true, true], signatures: 3 });
    const refused = await postRotation();
    expect(refused.body).toMatchObject({ status: 409, code: 'too_many_secrets' });
    expect(getStringField(refused, 'detail')).toContain(
      new Date(now.getTime() + PREVIOUS_SECRET_MS - 1_000).toISOString(),
    );
    advanceClock(PREVIOUS_SECRET_MS - 1_000);
    expect(await verifyEach(third, second, original)).toEqual({ valid: [true, true, false], signatures: 2 });
    expect((await postRotation()).status).toBe(200);
  });

  it('POST /webhooks/{id}/rotate-secret revokes all previous secrets immediately if the request contains `revokePrevious`', async () => {
    const second = await rotateSecret();
    await rotateSecret();
    const rotated = await postRotation({ revokePrevious: 'true' });
    const secret = getStringField(rotated, 'secret');
    expect(rotated.body).toMatchObject({ previousSecretExpiresAt: null });
    expect(await verifyEach(secret, second, original)).toEqual({ valid: [true, false, false], signatures: 1 });
  });

  it('after the loss of the key of a webhook secret, a rotation returns a secret that verifies requests', async () => {
    await used.test.gateway.db
      .update(webhooks)
      .set({ encryptedSecret: encryptWithLostKey() })
      .where(eq(webhooks.id, id));
    const rotated = await postRotation();
    expect(rotated.body).toMatchObject({ previousSecretExpiresAt: null });
    expect(await verifyEach(getStringField(rotated, 'secret'))).toEqual({ valid: [true], signatures: 1 });
  });

  it('a rotation delivers the events of a webhook at once whose attempts failed because of the loss of the key', async () => {
    const { gateway } = used.test;
    await writeWebhookEvents(used.test, used.tenant, id);
    await gateway.db.update(webhooks).set({ encryptedSecret: encryptWithLostKey() }).where(eq(webhooks.id, id));
    await attemptDueDeliveries();
    expect((await used.tenant.api.get(path)).body).toMatchObject({ failingSince: now.toISOString() });
    await rotateSecret();
    await attemptDueDeliveries();
    expect(receiver.received).toHaveLength(1);
    expect((await used.tenant.api.get(path)).body).toMatchObject({ failingSince: null, pausedUntil: null });
  });

  it('the loss of the key of its secret does not disable a webhook', async () => {
    const failing = { failingSince: new Date(now.getTime() - DISABLE_AFTER_MS), failures: MIN_FAILURES_TO_DISABLE };
    await used.test.gateway.db
      .update(webhooks)
      .set({ ...failing, encryptedSecret: encryptWithLostKey() })
      .where(eq(webhooks.id, id));
    await writeWebhookEvents(used.test, used.tenant, id);
    await attemptDueDeliveries();
    const shown = await used.tenant.api.get(path);
    expect(shown.body).toMatchObject({ enabled: true, lastDelivery: { delivered: false, status: null } });
  });

  it('replaced secrets whose key is lost sign no requests and prevent no rotation', async () => {
    const expiresAt = new Date(now.getTime() + PREVIOUS_SECRET_MS).toISOString();
    const previousSecrets = [1, 2].map(() => ({ encrypted: encryptWithLostKey(), expiresAt }));
    await used.test.gateway.db.update(webhooks).set({ previousSecrets }).where(eq(webhooks.id, id));
    expect(await verifyEach(original)).toEqual({ valid: [true], signatures: 1 });
    expect(await verifyEach(await rotateSecret(), original)).toEqual({ valid: [true, true], signatures: 2 });
  });

  it('every webhook secret that parallel rotations return is valid', async () => {
    const rotated = await Promise.all([postRotation(), postRotation(), postRotation()]);
    const made = rotated.filter(({ status }) => status === 200).map((each) => getStringField(each, 'secret'));
    expect(made).toHaveLength(2);
    expect(await verifyEach(original, ...made)).toEqual({ valid: [true, true, true], signatures: 3 });
  });

  it('POST /webhooks/{id}/rotate-secret returns the same secret for the same Idempotency-Key', async () => {
    const sendRequest = async () =>
      used.tenant.api.post(`${path}/rotate-secret`).set('Idempotency-Key', `rotate-${id}`);
    const secret = getStringField(await sendRequest(), 'secret');
    expect(getStringField(await sendRequest(), 'secret')).toBe(secret);
    expect(await verifyEach(secret, original)).toEqual({ valid: [true, true], signatures: 2 });
  });

  it('the Idempotency-Key of a rotation without `revokePrevious` is refused for a rotation with `revokePrevious`', async () => {
    const sendRequest = async (query: string) =>
      used.tenant.api.post(`${path}/rotate-secret${query}`).set('Idempotency-Key', `revoke-${id}`);
    expect((await sendRequest('')).status).toBe(200);
    expect((await sendRequest('?revokePrevious=true')).status).toBe(409);
  });
});
