import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance, expectNoAccessibilityViolation } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Tests sign-in, the end of sessions, and sign-out. */
export function testSignIn(running: () => ConsoleUnderTest): void {
  describe('sign-in', () => {
    it('the sign-in asks for a key, explains an invalid key, and then opens the requested address', async () => {
      const { page, apiKey } = await running().open('keys', { isSignedIn: false });
      const field = page.getByLabel('API key');
      await field.waitFor();
      await page.getByText('data/root-key').waitFor();
      await auditScreenInEachAppearance(page, 'sign-in');
      await field.fill('qk_wrong');
      await page.keyboard.press('Enter');
      await page.getByText('This key is not valid').waitFor();
      await expectNoAccessibilityViolation(page);
      await field.fill(apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
      expect(page.url()).toBe(new URL('keys', running().baseUrl).href);
    });

    it('after the sign-in, the API key is in no storage, cookie or address that scripts of the page can read', async () => {
      const { page, apiKey, context } = await running().open('keys', { isSignedIn: false });
      await page.getByLabel('API key').fill(apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('table').waitFor();
      const readable = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
      );
      expect(readable).not.toContain(apiKey);
      expect(readable).not.toContain('quarry_session');
      expect(await context.cookies(running().quarry.baseUrl)).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
    });

    it('a sign-in link works once, its code disappears from the address, and it cannot redirect to another origin', async () => {
      const { page, client } = await running().open('', { isSignedIn: false });
      const { path } = await client.createSignInCode();
      const address = new URL(path.replace(/^\//, ''), running().baseUrl);
      for (const name of ['next', 'redirect', 'return_to']) address.searchParams.set(name, '//evil.example/');
      const link = address.href;
      await page.getByLabel('API key').waitFor();
      await page.goto(link);
      await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      expect(page.url()).toMatch(new RegExp(`^${running().baseUrl}[a-z]*$`));
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('API key').waitFor();
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByText('This sign-in link was used already').waitFor();
      await page.getByRole('alert').getByText('prints a new link each time').waitFor();
      await auditScreenInEachAppearance(page, 'sign-in-used-link');
    });

    it('a sign-in link that fails because Quarry is overloaded is tried again on request', async () => {
      const { page, context, client } = await running().open('', { isSignedIn: false, expectedError: /status of 503/ });
      await page.getByLabel('API key').waitFor();
      const { path } = await client.createSignInCode();
      const failure = { status: 503, json: { status: 503, code: 'dependency_unavailable', title: 'Unavailable' } };
      let isAvailable = false;
      await context.route('**/api/session', async (route) =>
        isAvailable || route.request().method() !== 'POST' ? route.continue() : route.fulfill(failure),
      );
      await page.goto(new URL(path.replace(/^\//, ''), running().baseUrl).href);
      await page.getByText('Sign-in failed').waitFor();
      expect(await page.getByText('used already').count()).toBe(0);
      isAvailable = true;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    });

    it('a form asks for a sign-in when the session has ended, and keeps the typed text', async () => {
      const { page, context, apiKey, client } = await running().open('datastores');
      await page.getByRole('button', { name: 'New datastore' }).click();
      await page.getByLabel('Name').fill('Manuals');
      await context.clearCookies();
      await page.getByRole('dialog').getByRole('button', { name: 'Create datastore' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.waitFor();
      await auditScreenInEachAppearance(page, 'session-ended');
      await dialog.getByLabel('API key').fill(apiKey);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Name').inputValue()).toBe('Manuals');
      await page.getByRole('dialog').getByRole('button', { name: 'Create datastore' }).click();
      await page.getByRole('cell', { name: 'Manuals', exact: true }).waitFor();
      expect((await client.listDatastores()).items).toHaveLength(1);
    });
  });
}
