import type { QuarryClient } from '@quarry/client';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';

const QUESTION = 'How long does the warranty of the drill last?';

async function createAgent(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const { ids } = await client.upsertDocuments(id, [
    { name: 'Drill', text: 'The warranty of the drill lasts two years.' },
  ]);
  await client.untilSettled(ids[0] ?? '');
  await client.createAgent({ name: 'Support', datastoreIds: [id] });
}

/** Revokes the API key with which the page is signed in. */
async function revokeBrowserKey(client: QuarryClient): Promise<void> {
  const key = (await client.listApiKeys()).items.find(({ name }) => name === 'Browser');
  await client.revokeApiKey(key?.id ?? '');
}

/** Signs in again in the dialog that covers the screen after the session has ended. */
async function signInAgain(page: Page, apiKey: string): Promise<void> {
  const dialog: Locator = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('API key').fill(apiKey);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Waits until the account menu shows the name of the organization. */
async function waitForOrganization(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('menu').getByText(name).waitFor();
}

/** Tests the end of a session while a page of the session is open. */
export function testSessions(running: () => ConsoleUnderTest): void {
  describe('a session that ends while the console is used', () => {
    it('if the API key of the session is revoked, a screen keeps its address, conversation and typed question until the next sign-in', async () => {
      const { page, client } = await running().open('agents', { scopes: ['manage', 'query'], prepare: createAgent });
      await page.getByRole('link', { name: 'Support' }).click();
      const field = page.getByLabel('Ask a question');
      await field.fill(QUESTION);
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Sources' }).waitFor();
      const address = page.url();
      await revokeBrowserKey(client);
      await field.fill('And the battery?');
      await page.keyboard.press('Enter');
      await page.getByText('or its key was revoked').waitFor();
      expect(await page.getByText('give the code to your operator').count()).toBe(0);
      await auditScreenInEachAppearance(page, 'session-revoked');
      const { key } = await client.createApiKey({ name: 'Second', scopes: ['manage', 'query'] });
      await signInAgain(page, key);
      expect(page.url()).toBe(address);
      await page.getByText('lasts two years').first().waitFor();
      await page.getByRole('button', { name: 'Ask again' }).click();
      await expect.poll(async () => (await client.listConversations()).items.map(({ turns }) => turns)).toEqual([2]);
      await expect.poll(async () => page.getByRole('button', { name: 'Ask again' }).count()).toBe(0);
    });

    it('a sign-out in one tab ends the live events of all tabs, and the events continue after the next sign-in', async () => {
      const { page, context, client, apiKey, datastoreId } = await openNewDatastore(running());
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      const other = await context.newPage();
      await other.goto(new URL('keys', running().baseUrl).href);
      await other.getByRole('button', { name: /Account/ }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await other.getByLabel('API key').waitFor();
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      await client.upsertDocuments(datastoreId, [{ name: 'Before', text: 'Added while signed out.' }]);
      await signInAgain(page, apiKey);
      await page.getByRole('link', { name: 'Before' }).waitFor();
      await client.upsertDocuments(datastoreId, [{ name: 'After', text: 'Added after the sign-in.' }]);
      await page.getByRole('link', { name: 'After' }).waitFor();
    });

    it('a sign-out in one tab asks for a sign-in in the other tabs, also on a screen without live events', async () => {
      const { page, context } = await running().open('keys');
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      const other = await context.newPage();
      await other.goto(new URL('keys', running().baseUrl).href);
      await other.getByRole('button', { name: /Account/ }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    });

    it('after a sign-in to another organization in one tab, the other tabs show the new organization and none of its predecessor’s content', async () => {
      const { page, context } = await openNewDatastore(running());
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      const next = await running().open('keys');
      const { path } = await next.client.createSignInCode();
      const other = await context.newPage();
      await other.goto(new URL(path.replace(/^\//, ''), running().baseUrl).href);
      await page.getByRole('heading', { name: 'This datastore does not exist' }).waitFor();
      await waitForOrganization(page, next.organization.name);
      expect(await page.content()).not.toContain('Manuals');
    });

    it('a page that becomes visible again shows the organization to which the browser is signed in now', async () => {
      const { page, context } = await openNewDatastore(running());
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      const { apiKey, organization } = await running().open('keys');
      await context.request.post(`${running().quarry.baseUrl}/session`, { data: { apiKey } });
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      await page.getByRole('heading', { name: 'This datastore does not exist' }).waitFor();
      await waitForOrganization(page, organization.name);
      expect(await page.content()).not.toContain('Manuals');
    });

    it('if the API key is revoked, an idle page asks for a sign-in, and hides its content if the user joins another organization', async () => {
      const { page, client } = await openNewDatastore(running(), { scopes: ['manage', 'ingest'] });
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      await revokeBrowserKey(client);
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      const other = await running().open('keys');
      await signInAgain(page, other.apiKey);
      await page.getByRole('heading', { name: 'This datastore does not exist' }).waitFor();
      expect(await page.content()).not.toContain('Manuals');
    });
  });
}
