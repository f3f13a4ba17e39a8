import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const QUERY = 'How long does the warranty of the drill last?';

async function addManualsAndEmptyDatastore(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals of the tools for the workshop in Graz' });
  const { ids } = await client.upsertDocuments(id, [
    { name: 'Drill manual', text: 'Warranty. The warranty of the drill lasts two years. It covers the motor.' },
    { name: 'Saw manual', text: 'The warranty of the saw lasts one year. The blade of the saw is not covered.' },
    { name: 'Terms', text: 'Every warranty begins on the day of the purchase. Keep the invoice.' },
  ]);
  for (const datasourceId of ids) await client.untilSettled(datasourceId);
  // The forms must preselect the datastore with content, not this newer one.
  await client.createDatastore({ name: 'Empty' });
}

/** Tests the screen that explains searches. */
export function testPlayground(running: () => ConsoleUnderTest): void {
  describe('the playground screen', () => {
    it('the playground compares two settings side by side, and the address of the screen reproduces the query and the settings', async () => {
      const { page } = await running().open('playground', { prepare: addManualsAndEmptyDatastore });
      await page.getByRole('heading', { name: 'Ask something' }).waitFor();
      await auditScreenInEachAppearance(page, 'playground-empty');
      await page.getByLabel('Query').fill(QUERY);
      await page.getByRole('button', { name: 'Compare with B' }).click();
      await page.getByRole('group', { name: 'Settings B' }).getByLabel('Number of results').fill('1');
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const [sideA, sideB] = ['A', 'B'].map((side) => page.getByRole('region', { name: `Results ${side}` }));
      await sideA?.getByRole('link', { name: 'Drill manual' }).first().waitFor();
      await sideB?.getByRole('link', { name: 'Drill manual' }).first().waitFor();
      await page
        .getByText(/only in A/)
        .first()
        .waitFor();
      await auditScreenInEachAppearance(page, 'playground');
      expect(new URL(page.url()).searchParams.get('b')).toContain('topK=1');
      await page.reload();
      await sideB?.getByRole('link', { name: 'Drill manual' }).first().waitFor();
      expect(await page.getByLabel('Query').inputValue()).toBe(QUERY);
      await page.setViewportSize({ width: 390, height: 800 });
      await auditScreenInEachAppearance(page, 'playground-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 800 });
      await sideA?.getByRole('link', { name: 'Drill manual' }).first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(page.url()).toMatch(/\/documents\/.+fragment=/);
      await page.goBack();
      await sideB?.getByRole('link', { name: 'Drill manual' }).first().waitFor();
      expect(await page.getByLabel('Query').inputValue()).toBe(QUERY);
    });

    it('the filter counts the chosen datasources of each datastore, and a choice in one list keeps those of the other', async () => {
      const { page } = await running().open('playground', {
        prepare: async (client) => {
          for (const name of ['Drills', 'Saws']) {
            const { id } = await client.createDatastore({ name });
            await client.upsertDocuments(id, [{ name: `About ${name}`, text: `${name} have a warranty.` }]);
          }
        },
      });
      const settings = page.getByRole('group', { name: 'Settings A' });
      await settings.locator('summary').first().click();
      const datastores = settings.getByRole('region', { name: 'Datastores' });
      for (const name of ['Drills', 'Saws']) await datastores.getByLabel(name).check();
      await settings.locator('summary').last().click();
      for (const name of ['Drills', 'Saws']) await settings.getByLabel(`About ${name}`).check();
      await expect.poll(async () => settings.getByText('1 of 1 chosen').count()).toBe(2);
      await settings.getByLabel('About Saws').uncheck();
      await settings.getByText('0 of 1 chosen').waitFor();
      expect(await settings.getByLabel('About Drills').isChecked()).toBe(true);
    });
  });
}
