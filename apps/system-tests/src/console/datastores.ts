import { join } from 'node:path';
import type { QuarryClient } from '@quarry/client';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { openDatabase } from '@quarry/gateway';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const BUSY = {
  title: 'Too many requests',
  status: 429,
  code: 'rate_limited',
  detail: 'This key has sent too many requests.',
};

async function addDatastores(client: QuarryClient, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await client.createDatastore({ name: `Datastore ${number}` });
}

/** Scrolls to the end of the loaded rows. Returns the name of the datastore in the last row. */
async function scrollTableToEnd(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => {
    const frame = document.querySelector('.table-frame');
    frame.scrollTop = frame.scrollHeight;
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([...frame.querySelectorAll('a')].at(-1).textContent)));
  })`);
}

/** Marks a datastore as expired in the database of a standalone Quarry. */
async function expireDatastore(dataDirectory: string, id: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ directory: join(dataDirectory, 'postgres') });
  const database = openDatabase({ url: postgres.url, connections: 1, onConnectionLost: () => undefined });
  await database.pool.query(
    `update quarry.datastores set expiry_days = 7, expires_at = now(), expired_at = now() where id = $1`,
    [id],
  );
  await database.close();
  await postgres.stop();
}

async function measureColumnWidths(page: Page): Promise<readonly number[]> {
  return page.evaluate(`[...document.querySelectorAll('th')].map((head) => head.offsetWidth)`);
}

/** Tests the screen of the datastores. */
export function testDatastores(running: () => ConsoleUnderTest): void {
  describe('the datastores screen', () => {
    it('the datastores screen explains what to do if there are no datastores, and its form works with the keyboard alone', async () => {
      const { page, client } = await running().open('datastores');
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      await auditScreenInEachAppearance(page, 'datastores-empty');
      await page.getByRole('button', { name: 'New datastore' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'New datastore' }).waitFor();
      await page.keyboard.type('Manuals');
      await page.keyboard.press('Tab');
      await page.keyboard.type('All that a technician needs');
      await auditScreenInEachAppearance(page, 'datastores-new');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Actions for Manuals' }).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Manuals' });
      await row
        .getByText('By words')
        .and(page.getByTitle(/contain the words of the question/))
        .waitFor();
      await row
        .getByText('512 tokens')
        .and(page.getByTitle(/split into passages/))
        .waitFor();
      expect((await client.listDatastores()).items).toMatchObject([
        { name: 'Manuals', description: 'All that a technician needs', splitting: { maxTokens: 512 } },
      ]);
    });

    it('an expired datastore is marked in the list and on its screen', async () => {
      const { dataDirectory } = running();
      const { page } = await running().open('datastores', {
        prepare: async (client) => {
          await client.createDatastore({ name: 'Current' });
          const { id } = await client.createDatastore({ name: 'Unused' });
          await client.upsertDocuments(id, [{ name: 'Drill', text: 'The warranty lasts two years.' }]);
          await expireDatastore(dataDirectory, id);
        },
      });
      await page.getByRole('row').filter({ hasText: 'Unused' }).getByText('Expired').waitFor();
      expect(await page.getByText('Expired').count()).toBe(1);
      await auditScreenInEachAppearance(page, 'datastores-expired');
      await page.getByRole('link', { name: 'Unused' }).click();
      await page.getByText('This datastore has expired: it was not used for 7 days').waitFor();
      await page.getByRole('link', { name: 'Drill' }).waitFor();
      await auditScreenInEachAppearance(page, 'datastore-expired');
    });

    it('the form of a datastore shows the reason for a refused value beside the field, and keeps all typed values', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('button', { name: 'New datastore' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Manuals');
      await dialog.getByLabel('Overlap in tokens').fill('9999');
      await dialog.getByRole('button', { name: 'Create datastore' }).click();
      const field = dialog.getByLabel('Overlap in tokens');
      await field.and(page.locator('[aria-invalid=true]')).waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Manuals');
      await auditScreenInEachAppearance(page, 'datastores-refused');
    });

    it('a user changes the OCR languages of a datastore, and resets them to those of the installation', async () => {
      const { page, client } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Letters', ocrLanguages: ['deu', 'eng'] }),
      });
      const save = async (expected: string, text: string): Promise<void> => {
        await page.getByRole('button', { name: 'Actions for Letters' }).click();
        await page.getByRole('menuitem', { name: 'Edit' }).click();
        const dialog = page.getByRole('dialog', { name: 'Edit datastore' });
        const field = dialog.getByLabel('Languages of scans');
        expect(await field.inputValue()).toBe(expected);
        await field.fill(text);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'hidden' });
      };
      await save('deu, eng', 'fra');
      expect((await client.listDatastores()).items).toMatchObject([{ ocrLanguages: ['fra'] }]);
      await save('fra', '');
      expect((await client.listDatastores()).items).toMatchObject([{ ocrLanguages: null }]);
    });

    it('a user renames a datastore from the menu of its row', async () => {
      const { page, client } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Manuals', description: 'All of them' }),
      });
      await page.getByRole('button', { name: 'Actions for Manuals' }).click();
      await auditScreenInEachAppearance(page, 'datastores-menu');
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Handbooks');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Actions for Handbooks' }).waitFor();
      expect((await client.listDatastores()).items).toMatchObject([{ name: 'Handbooks', description: 'All of them' }]);
    });

    it('a user deletes a datastore only after typing its name', async () => {
      const { page, client } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Manuals' }),
      });
      await page.getByRole('button', { name: 'Actions for Manuals' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete datastore' });
      const confirm = dialog.getByRole('button', { name: 'Delete datastore' });
      expect(await confirm.isDisabled()).toBe(true);
      await auditScreenInEachAppearance(page, 'datastores-delete');
      await dialog.getByLabel('Type “Manuals” to confirm').fill('Manuals');
      await confirm.click();
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      expect((await client.listDatastores()).items).toEqual([]);
    });

    it('the list of datastores loads pages while the user scrolls, renders at most 60 rows, and keeps the focused row rendered', async () => {
      const { page } = await running().open('datastores', { prepare: async (client) => addDatastores(client, 110) });
      const table = page.getByRole('table');
      await table.waitFor();
      await auditScreenInEachAppearance(page, 'datastores');
      const columns = await measureColumnWidths(page);

      // The API refuses the first request for the second page.
      await page.route(/cursor=/, async (route) => route.fulfill({ status: 429, json: BUSY }), { times: 1 });
      await scrollTableToEnd(page);
      const notice = page.getByRole('alert').filter({ hasText: 'The next rows could not be loaded' });
      await notice.waitFor();
      await scrollTableToEnd(page);
      await auditScreenInEachAppearance(page, 'datastores-more-failed');
      await notice.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(async () => scrollTableToEnd(page)).toBe('Datastore 1');
      await notice.waitFor({ state: 'detached' });
      expect(await table.getAttribute('aria-rowcount')).toBe('111');
      expect(await table.getByRole('row').last().getAttribute('aria-rowindex')).toBe('111');
      expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(60);
      expect(await measureColumnWidths(page)).toEqual(columns);
      await auditScreenInEachAppearance(page, 'datastores-end');

      // Tab moves to the next control of the focused row, although that row was scrolled out of view.
      await page.evaluate(`document.querySelector('.table-frame').scrollTop = 0`);
      const first = page.getByRole('link', { name: 'Datastore 110', exact: true });
      await first.focus();
      await expect.poll(async () => scrollTableToEnd(page)).toBe('Datastore 1');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe(
        'Actions for Datastore 110',
      );
      expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(60);
    });

    it('the list of datastores shows HTML in names as text', async () => {
      const name = '<img src=x onerror="document.title=1">"><script>document.title=2</script>';
      const { page } = await running().open('datastores', {
        prepare: async (tenant) => tenant.createDatastore({ name, description: name }),
      });
      await page.getByText(name).first().waitFor();
      expect(await page.title()).toBe('Datastores · Quarry');
    });
  });
}
