import { describe, expect, it } from 'vitest';
import type { ConsoleUnderTest } from './console-under-test.js';
import { expectAccessible } from './expect-accessible.js';
import { takePicture } from './take-picture.js';

/** Tests the screen of the datastores. */
export function testDatastores(running: () => ConsoleUnderTest): void {
  describe('the datastores screen', () => {
    it('explains what to do without datastores, and creates the first one with the keyboard alone', async () => {
      const { page, client } = await running().open('datastores');
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      await expectAccessible(page);
      await takePicture(page, 'datastores-empty');
      await page.getByRole('button', { name: 'New datastore' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'New datastore' }).waitFor();
      await page.keyboard.type('Manuals');
      await page.keyboard.press('Tab');
      await page.keyboard.type('All that a technician needs');
      await expectAccessible(page);
      await takePicture(page, 'datastores-new');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Actions for Manuals' }).waitFor();
      expect((await client.listDatastores()).items).toMatchObject([
        { name: 'Manuals', description: 'All that a technician needs', splitting: { maxTokens: 512 } },
      ]);
    });

    it('shows the reason of a refused value beside its field, and keeps the other values', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('button', { name: 'New datastore' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Manuals');
      await dialog.getByLabel('Overlap in tokens').fill('9999');
      await dialog.getByRole('button', { name: 'Create datastore' }).click();
      const field = dialog.getByLabel('Overlap in tokens');
      await field.and(page.locator('[aria-invalid=true]')).waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Manuals');
      await expectAccessible(page);
      await takePicture(page, 'datastores-refused');
    });

    it('renames a datastore from the menu of its row', async () => {
      const { page, client } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Manuals', description: 'All of them' }),
      });
      await page.getByRole('button', { name: 'Actions for Manuals' }).click();
      await expectAccessible(page);
      await takePicture(page, 'datastores-menu');
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Handbooks');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Actions for Handbooks' }).waitFor();
      expect((await client.listDatastores()).items).toMatchObject([{ name: 'Handbooks', description: 'All of them' }]);
    });

    it('deletes a datastore only after the reader typed its name', async () => {
      const { page, client } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Manuals' }),
      });
      await page.getByRole('button', { name: 'Actions for Manuals' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete datastore' });
      const confirm = dialog.getByRole('button', { name: 'Delete datastore' });
      expect(await confirm.isDisabled()).toBe(true);
      await expectAccessible(page);
      await takePicture(page, 'datastores-delete');
      await dialog.getByLabel('Type “Manuals” to confirm').fill('Manuals');
      await confirm.click();
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      expect((await client.listDatastores()).items).toEqual([]);
    });

    it('loads further pages of a long list', async () => {
      const { page } = await running().open('datastores', {
        prepare: async (tenant) => {
          for (let number = 1; number <= 55; number += 1) await tenant.createDatastore({ name: `Datastore ${number}` });
        },
      });
      await page.getByRole('table').waitFor();
      await takePicture(page, 'datastores');
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByRole('cell', { name: 'Datastore 1', exact: true }).waitFor();
      expect(await page.getByRole('row').count()).toBe(56);
    });

    it('shows HTML in names as text', async () => {
      const name = '<img src=x onerror="document.title=1">"><script>document.title=2</script>';
      const { page } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name, description: name }),
      });
      await page.getByText(name).first().waitFor();
      expect(await page.title()).toBe('Datastores · Quarry');
    });
  });
}
