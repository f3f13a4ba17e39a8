import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { forEachAppearance } from './appearances.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';

const MANUALS = [1, 2].map((number) => ({ name: `Manual ${number}`, text: `Manual ${number} explains the drill.` }));

/** Tests tables and lists in a narrow window. */
export function testNarrowTables(running: () => ConsoleUnderTest): void {
  describe('a table in a narrow window', () => {
    it('a table in a narrow window shows names and statuses first, and marks that more columns are to the right', async () => {
      const { page } = await running().open('keys', { width: 390, height: 844 });
      const table = page.getByRole('table', { name: 'API keys' });
      for (const name of ['Name', 'Status']) {
        const box = await table.getByRole('columnheader', { name, exact: true }).boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThan(326); // the actions begin there
      }
      const readHint = async (): Promise<number> =>
        Number(
          await page.evaluate(
            `getComputedStyle(document.querySelector('.table-frame')).getPropertyValue('--table-hint')`,
          ),
        );
      expect(await readHint()).toBeGreaterThan(0.9);
      await auditScreenInEachAppearance(page, 'keys-narrow');
      await page.evaluate(`document.querySelector('.table-frame').scrollLeft = 1000`);
      await expect.poll(readHint, { timeout: 10_000 }).toBeLessThan(0.1);
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect.poll(readHint, { timeout: 10_000 }).toBe(0);
    });

    it('a list of datasources in a narrow window shows all buttons for the selected datasources', async () => {
      const { page } = await openNewDatastore(running(), {
        fill: async (client, id) => addTexts(client, id, MANUALS),
        width: 390,
      });
      await page.getByLabel('Select Manual 1').check();
      await auditScreenInEachAppearance(page, 'datasources-selected-narrow');
      await forEachAppearance(page, async () => {
        for (const button of await page.getByRole('toolbar').getByRole('button').all()) {
          const { x = 0, width = Infinity } = (await button.boundingBox()) ?? {};
          expect(x + width).toBeLessThanOrEqual(390);
        }
      });
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete “Manual 1”' }).waitFor();
    });
  });
}
