import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const COUNT = 64;

/** Creates many datastores, and an agent that uses the oldest of them. */
async function createDatastores(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'The oldest' });
  for (let at = 1; at < COUNT; at += 1) await client.createDatastore({ name: `Manuals ${at}` });
  await client.createAgent({ name: 'Support', datastoreIds: [id] });
}

/** Tests the list in which a user chooses datastores. */
export function testChooseDatastores(running: () => ConsoleUnderTest): void {
  describe('the list of datastores to choose from', () => {
    it('the settings of an agent show its datastores first, count them, and find others by their names', async () => {
      const { page, client } = await running().open('agents', { prepare: createDatastores });
      await page.getByRole('link', { name: 'Support' }).click();
      await page.getByRole('tab', { name: 'Settings' }).click();
      const list = page.getByRole('region', { name: 'Datastores' });
      const first = list.getByRole('listitem').first();
      await first.filter({ hasText: 'The oldest' }).waitFor();
      expect(await first.getByRole('checkbox').isChecked()).toBe(true);
      await page.getByText(`1 of ${COUNT} chosen`).waitFor();
      await auditScreenInEachAppearance(page, 'agent-settings-many-datastores');

      const search = page.getByRole('searchbox', { name: 'Search in “Datastores”' });
      await search.fill('manuals 17');
      await expect.poll(async () => list.getByRole('listitem').allInnerTexts()).toEqual(['Manuals 17']);
      await list.getByLabel('Manuals 17').check();
      await page.getByText(`2 of ${COUNT} chosen`).waitFor();
      // Enter in the search field must not save the settings.
      await search.press('Enter');
      await search.fill('nothing like this');
      await page.getByText('No name contains this text.').waitFor();
      await auditScreenInEachAppearance(page, 'agent-settings-no-datastore-found');
      await search.fill('');
      await first.filter({ hasText: 'The oldest' }).waitFor();
      expect((await client.listAgents()).items[0]?.datastoreIds).toHaveLength(1);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('“Support” was saved.').waitFor();
      expect((await client.listAgents()).items[0]?.datastoreIds).toHaveLength(2);
    });
  });
}
