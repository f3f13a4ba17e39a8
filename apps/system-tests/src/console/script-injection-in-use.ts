import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { connectPayloadModel } from './connect-payload-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { expectPayloadsAsText, collectDialogMessages } from './expect-payloads-as-text.js';
import { MIN_SHOWN_PAYLOADS, PAYLOADS } from './script-payloads.js';
import { startWebhookReceiver } from './start-webhook-receiver.js';

const [payload = ''] = PAYLOADS;
/**
 * Number of script payloads in the response of the webhook receiver. Quarry stores the first 1,000 characters of a
 * response, into which these payloads fit.
 */
const PAYLOADS_IN_RESPONSE = 10;

async function addHostileDocumentsAndAgent(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const documents = PAYLOADS.map((text) => ({ name: text, text: `The warranty of ${text}` }));
  const { ids } = await client.upsertDocuments(id, documents);
  for (const datasourceId of ids) await client.untilSettled(datasourceId);
  await client.createAgent({ name: 'Support', datastoreIds: [id] });
}

/**
 * Tests that untrusted texts run no scripts in the parts of the console that appear only after an action of the user.
 */
export function testScriptInjectionInUse(running: () => ConsoleUnderTest): void {
  describe('texts that contain scripts, after an action of the user', () => {
    it('a streamed answer that contains scripts is shown as text', async () => {
      await connectPayloadModel(running());
      const { page } = await running().open('agents', { prepare: addHostileDocumentsAndAgent });
      const dialogs = collectDialogMessages(page);
      await page.getByRole('link', { name: 'Support' }).click();
      await page.getByLabel('Ask a question').fill('How long is the warranty?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Not helpful' }).waitFor();
      const shown = await expectPayloadsAsText(page, 'test chat');
      expect(new Set(shown).size).toBeGreaterThanOrEqual(MIN_SHOWN_PAYLOADS);
      expect(dialogs).toEqual([]);
    });

    it('results that contain scripts are shown as text in a comparison', async () => {
      const { page } = await running().open(`playground?q=warranty&a=topK%3D100&b=topK%3D99`, {
        prepare: addHostileDocumentsAndAgent,
      });
      const dialogs = collectDialogMessages(page);
      for (const side of ['A', 'B'])
        await page
          .getByRole('region', { name: `Results ${side}` })
          .getByRole('link')
          .first()
          .waitFor();
      const shown = await expectPayloadsAsText(page, 'compared settings');
      expect(new Set(shown).size).toBeGreaterThanOrEqual(MIN_SHOWN_PAYLOADS);
      expect(dialogs).toEqual([]);
    });

    it('the response of a webhook receiver that contains scripts is shown as text', async () => {
      const responseBody = PAYLOADS.slice(0, PAYLOADS_IN_RESPONSE).join('\n');
      const { url } = await startWebhookReceiver({ responseBody });
      const { page } = await running().open('webhooks', { prepare: (client) => client.createWebhook({ url }) });
      const dialogs = collectDialogMessages(page);
      await page.getByRole('link', { name: url }).click();
      await page.getByRole('button', { name: 'Send test event' }).click();
      await page.getByRole('table', { name: 'Deliveries' }).getByRole('button', { name: 'Test event' }).click();
      const delivery = page.getByRole('dialog', { name: 'Delivery' });
      await delivery.getByRole('region', { name: 'Response body' }).getByText(payload).waitFor();
      const shown = await expectPayloadsAsText(page, 'delivery');
      expect(new Set(shown).size).toBe(PAYLOADS_IN_RESPONSE);
      expect(dialogs).toEqual([]);
    });
  });
}
