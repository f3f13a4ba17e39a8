import { createClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const NAME = 'Österreichische Gesellschaft für Werkzeug, Maschinen und Zubehör';

/** Tests the screen on which operators manage the organizations. */
export function testOrganizations(running: () => ConsoleUnderTest): void {
  describe('the organizations screen', () => {
    it('an operator creates an organization with limits, sees its key once, changes it and deletes it', async () => {
      const { page } = await running().open('organizations', { isOperator: true });
      await page.getByRole('button', { name: 'New organization' }).click();
      const form = page.getByRole('dialog', { name: 'New organization' });
      await form.getByLabel('Name').fill(NAME);
      await form.getByLabel('Queries per month').fill('many');
      await form.getByText('Enter a whole number in digits').waitFor();
      await form.getByLabel('Queries per month').fill('250000');
      await auditScreenInEachAppearance(page, 'organizations-new');
      await form.getByRole('button', { name: 'New organization' }).click();
      const shown = page.getByRole('dialog', { name: 'Copy the key now' });
      const apiKey = await shown.getByRole('region', { name: 'API key' }).innerText();
      await auditScreenInEachAppearance(page, 'organizations-key');
      await shown.getByRole('button', { name: 'Done' }).click();
      const created = createClient({ baseUrl: running().quarry.baseUrl, apiKey });
      const { organization } = await created.getMe();
      expect(organization).toMatchObject({ name: NAME });

      await page.getByRole('button', { name: `Actions for ${NAME}` }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit organization' });
      await edit.getByLabel('Weight of jobs').fill('');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`“${NAME}” was saved.`).waitFor();
      await auditScreenInEachAppearance(page, 'organizations');
      await page.setViewportSize({ width: 390, height: 800 });
      await auditScreenInEachAppearance(page, 'organizations-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: `Actions for ${NAME}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const removal = page.getByRole('dialog');
      await removal.getByLabel(`Type “${NAME}” to confirm`).fill(NAME);
      await auditScreenInEachAppearance(page, 'organizations-delete');
      await removal.getByRole('button', { name: 'Delete organization' }).click();
      await page.getByText(`“${NAME}” was deleted.`).waitFor();
      await expect(created.getMe()).rejects.toMatchObject({ status: 401 });
    });
  });
}
