import { createClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Tests the screen of the API keys. */
export function testKeys(running: () => ConsoleUnderTest): void {
  describe('the keys screen', () => {
    it('a created API key is shown once, and works with the chosen scopes', async () => {
      const { page, client } = await running().open('keys', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Manuals' }),
      });
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New API key' });
      await dialog.getByLabel('Name', { exact: true }).fill('Website search');
      await dialog.getByText('Datastores', { exact: true }).click();
      await dialog.getByLabel('Manuals').check();
      await dialog.getByLabel('Expires').selectOption({ label: 'In 30 days' });
      await dialog.getByLabel('For a client of Chaindesk’s API').check();
      await auditScreenInEachAppearance(page, 'keys-new');
      await dialog.getByRole('button', { name: 'Create key' }).click();

      const shown = page.getByRole('dialog', { name: 'Copy the key now' });
      const text = await shown.getByRole('region', { name: 'The new API key' }).innerText();
      await auditScreenInEachAppearance(page, 'keys-created');
      await page.keyboard.press('Escape');
      expect(await shown.isVisible()).toBe(true);
      await shown.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(text);

      const { key } = await createClient({ baseUrl: running().quarry.baseUrl, apiKey: text }).getMe();
      const [datastore] = (await client.listDatastores()).items;
      expect(key).toMatchObject({
        name: 'Website search',
        scopes: ['query'],
        compatibility: 'chaindesk',
        limits: { agentIds: [], datastoreIds: [datastore?.id] },
      });
      expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBeGreaterThan(29 * 86_400_000);
      await page.getByRole('cell', { name: 'Website search', exact: true }).waitFor();
      await auditScreenInEachAppearance(page, 'keys');

      const programs = page.getByRole('region', { name: 'Assistants and editors (MCP)' });
      await programs.getByLabel('Client', { exact: true }).selectOption({ label: 'Cursor (.cursor/mcp.json)' });
      await programs.scrollIntoViewIfNeeded();
      await auditScreenInEachAppearance(page, 'keys-programs');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await programs.getByRole('button', { name: 'Copy' }).last().click();
      const copied: unknown = JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')));
      expect(copied).toEqual({
        mcpServers: { quarry: { url: `${running().baseUrl}mcp`, headers: { Authorization: 'Bearer YOUR_API_KEY' } } },
      });
    });

    it('a dialog that is opened during the closing animation of a created key does not show this key', async () => {
      const { page } = await running().open('keys');
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New API key' });
      await dialog.getByLabel('Name', { exact: true }).fill('Website search');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const done = page.getByRole('dialog', { name: 'Copy the key now' }).getByRole('button', { name: 'Done' });
      await done.focus();
      await page.evaluate("document.documentElement.style.setProperty('--fast', '60s')");
      await page.keyboard.press('Enter');
      // The focus returns to the button that has opened the dialog.
      await page.keyboard.press('Enter');
      await expect.poll(async () => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('');
      expect(await done.count()).toBe(0);
    });

    it('the dialog for a new API key stays open during the request, so that the key is shown', async () => {
      const { page } = await running().open('keys');
      const response = Promise.withResolvers<undefined>();
      await page.route('**/api/api-keys', async (route) => {
        if (route.request().method() === 'POST') await response.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New API key' });
      await dialog.getByLabel('Name', { exact: true }).fill('Website search');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
      expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(true);
      response.resolve(undefined);
      const shown = page.getByRole('dialog', { name: 'Copy the key now' });
      expect(await shown.getByRole('region', { name: 'The new API key' }).innerText()).toMatch(/^qk_/);
    });

    it('the form for a new API key offers only the scopes of the key with which the user is signed in', async () => {
      const { page } = await running().open('keys', { scopes: ['query', 'manage'] });
      await page.getByRole('button', { name: 'New key' }).click();
      const scopes = page.getByRole('group', { name: 'Scopes' });
      expect(await scopes.getByRole('checkbox').count()).toBe(2);
    });

    it('a user revokes an API key after a confirmation, and the list then shows the key as revoked', async () => {
      const { page, client } = await running().open('keys', {
        prepare: async (tenant) => tenant.createApiKey({ name: 'Old importer', scopes: ['ingest'] }),
      });
      await page.getByRole('button', { name: 'Revoke Old importer' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke API key' });
      await auditScreenInEachAppearance(page, 'keys-revoke');
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('row', { name: /Old importer.*Revoked/ }).waitFor();
      const { items } = await client.listApiKeys();
      expect(items.find(({ name }) => name === 'Old importer')?.revokedAt).not.toBeNull();
    });

    it('the console asks for a sign-in after the API key of the session was revoked', async () => {
      const { page } = await running().open('keys', { scopes: ['manage'] });
      await page.getByRole('button', { name: 'Revoke Browser' }).click();
      await page.getByText('You are signed in with this key').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    });
  });
}
