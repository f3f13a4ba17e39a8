import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';

const QUESTION = 'How long does the warranty of the drill last?';

async function addDrillManual(client: QuarryClient, datastoreId: string): Promise<void> {
  const text = 'Warranty. The warranty of the drill lasts two years. It covers the motor and the battery.';
  await addTexts(client, datastoreId, [{ name: 'Drill manual', text }]);
}

/** Tests the link “Ask this datastore”, which opens an agent that answers from this datastore only. */
export function testAskDatastore(running: () => ConsoleUnderTest): void {
  describe('the link that asks a datastore', () => {
    it('“Ask this datastore” creates an agent when the user asks the first question, and opens this agent at later clicks', async () => {
      const { page, client, datastoreId } = await openNewDatastore(running(), { fill: addDrillManual });
      const link = page.getByRole('link', { name: 'Ask this datastore' });
      await link.waitFor();
      await auditScreenInEachAppearance(page, 'datastore-ask');
      await link.click();
      await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
      await page
        .getByText('With the first question, Quarry creates an agent that answers from “Manuals” only.')
        .waitFor();
      await page.getByRole('textbox', { name: 'Question' }).fill(QUESTION);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Answer' }).getByRole('list', { name: 'Sources' }).waitFor();
      expect((await client.listAgents()).items).toMatchObject([{ name: 'Manuals', datastoreIds: [datastoreId] }]);
      await page.goBack();
      await page.getByRole('heading', { name: 'Manuals', level: 1 }).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await auditScreenInEachAppearance(page, 'datastore-ask-narrow');
      await link.click();
      await page.getByRole('tab', { name: 'Test chat', selected: true }).waitFor();
      await page.getByRole('heading', { name: 'Manuals', level: 1 }).waitFor();
    });

    it('“Ask this datastore” is hidden from keys that cannot open agents', async () => {
      const { page, context, client } = await running().open('keys');
      const { id } = await client.createDatastore({ name: 'Manuals' });
      await addDrillManual(client, id);
      const { key } = await client.createApiKey({ name: 'Ingest', scopes: ['ingest'] });
      await context.request.post(`${running().quarry.baseUrl}/session`, { data: { apiKey: key } });
      await page.goto(new URL(`datastores/${id}`, running().baseUrl).href);
      await page.getByRole('link', { name: 'Drill manual' }).waitFor();
      expect(await page.getByRole('link', { name: 'Ask this datastore' }).count()).toBe(0);
    });
  });
}
