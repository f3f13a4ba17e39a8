import { findFreePort } from '@quarry/queue-bullmq/testing';
import { describe, expect, it } from 'vitest';
import { showAppearance } from './appearances.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { startWebhookReceiver } from './start-webhook-receiver.js';

/** Tests the screens of the webhooks. */
export function testWebhooks(running: () => ConsoleUnderTest): void {
  describe('the webhooks screens', () => {
    it('the console shows the secret of a new webhook once, and the request and the response of a test event', async () => {
      const receiver = await startWebhookReceiver();
      const { page, client } = await running().open('webhooks', { expectedError: /status of 404/ });
      await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
      await auditScreenInEachAppearance(page, 'webhooks-empty');
      await page.getByRole('button', { name: 'New webhook' }).first().click();
      const form = page.getByRole('dialog', { name: 'New webhook' });
      await form.getByLabel('Address').fill('ftp://example.com');
      await form.getByRole('button', { name: 'New webhook' }).click();
      await form.locator('[aria-invalid=true]').waitFor();
      await auditScreenInEachAppearance(page, 'webhooks-new');
      await form.getByLabel('Address').fill(receiver.url);
      await form.getByRole('button', { name: 'New webhook' }).click();
      const shown = page.getByRole('dialog', { name: 'Copy the secret now' });
      const secret = await shown.getByRole('region', { name: 'Secret' }).innerText();
      expect(secret).toMatch(/^whsec_/);
      await auditScreenInEachAppearance(page, 'webhooks-secret');
      await shown.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(secret);

      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
      await auditScreenInEachAppearance(page, 'webhook-empty');
      await page.getByRole('button', { name: 'Send test event' }).click();
      const deliveries = page.getByRole('table', { name: 'Deliveries' });
      await deliveries.getByText('Delivered').waitFor();
      await deliveries.getByRole('button', { name: 'Test event' }).click();
      const delivery = page.getByRole('dialog', { name: 'Delivery' });
      await delivery.getByRole('region', { name: 'Response body' }).getByText('"stored": true').waitFor();
      await delivery.getByRole('region', { name: 'Body', exact: true }).getByText('webhook.test').waitFor();
      await delivery.getByRole('region', { name: 'Headers' }).getByText('webhook-signature').waitFor();
      await auditScreenInEachAppearance(page, 'webhook-delivery');
      await page.keyboard.press('Escape');

      receiver.statuses.push(500);
      const { id } = await client.createDatastore({ name: 'Manuals' });
      await client.upsertDocuments(id, [{ name: 'Drill manual', text: 'The warranty lasts two years.' }]);
      const synced = deliveries.getByRole('row').filter({ hasText: 'A datasource was synced' });
      await synced.getByText('Delivered').waitFor();
      await synced.getByRole('button', { name: 'Resend' }).click();
      await page.getByText('The event is sent again.').waitFor();
      await expect.poll(() => receiver.received.length).toBe(4);
      const [, first, second, third] = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect([second, third]).toEqual([first, first]);
      await auditScreenInEachAppearance(page, 'webhook');

      await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
      await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
      const rotation = page.getByRole('dialog', { name: 'Rotate secret' });
      await auditScreenInEachAppearance(page, 'webhook-rotate');
      await rotation.getByRole('button', { name: 'Rotate secret' }).click();
      const rotated = page.getByRole('dialog', { name: 'Copy the secret now' });
      expect(await rotated.getByRole('region', { name: 'Secret' }).innerText()).not.toBe(secret);
      await auditScreenInEachAppearance(page, 'webhook-rotated');
      await rotated.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Disable' }).click();
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await client.listWebhooks()).items).toMatchObject([{ enabled: true }]);
      await page.setViewportSize({ width: 390, height: 800 });
      await auditScreenInEachAppearance(page, 'webhook-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Webhooks' }).click();
      await page.getByRole('table', { name: 'Webhooks' }).waitFor();
      await auditScreenInEachAppearance(page, 'webhooks');

      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('button', { name: 'Disable' }).waitFor();
      for (const webhook of (await client.listWebhooks()).items) await client.deleteWebhook(webhook.id);
      await page.clock.install();
      await page.getByRole('button', { name: 'Disable' }).click();
      const failure = page.getByRole('status').getByRole('listitem').filter({ hasText: 'There is no webhook' });
      await failure.waitFor();
      await page.clock.runFor(60_000);
      expect(await failure.isVisible()).toBe(true);
      await failure.getByRole('button', { name: 'Dismiss' }).click();
      await failure.waitFor({ state: 'detached' });
    });

    it('the console explains in its own language why a delivery attempt has no response', async () => {
      const { page, client } = await running().open('');
      const url = `http://127.0.0.1:${await findFreePort()}/hooks/quarry`;
      const { id } = await client.createWebhook({ url, events: ['datasource.synched'] });
      await client.testWebhook(id);
      await page.goto(new URL(`webhooks/${id}`, running().baseUrl).href);
      await page.getByRole('table', { name: 'Deliveries' }).getByRole('button', { name: 'Test event' }).click();
      const delivery = page.getByRole('dialog');
      await delivery.getByText('The server accepts no connection.').waitFor();
      await auditScreenInEachAppearance(page, 'webhook-delivery-failed');
      await showAppearance(page, { theme: 'light', language: 'de' });
      await delivery.getByText('Der Server nimmt keine Verbindung an.').waitFor();
      const { id: datastoreId } = await client.createDatastore({ name: 'Manuals' });
      await client.upsertDocuments(datastoreId, [{ name: 'Drill', text: 'The warranty lasts two years.' }]);
      await expect.poll(async () => (await client.listWebhooks()).items[0]?.lastDelivery?.delivered).toBe(false);
      await page.goto(new URL('webhooks', running().baseUrl).href);
      await page.getByText('· Keine Antwort').waitFor();
    });
  });
}
