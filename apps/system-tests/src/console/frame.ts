import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance, expectNoAccessibilityViolation } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/**
 * Tests the parts that all screens share: navigation, command palette, shortcuts, theme, language and the connection
 * notice.
 */
export function testConsoleFrame(running: () => ConsoleUnderTest): void {
  describe('the navigation and the shortcuts of the console', () => {
    it('a keyboard shortcut opens a screen, and moves the focus to the heading of the screen', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
      await page.locator('h1:focus').waitFor();
      expect(await page.title()).toBe('API keys · Quarry');
    });

    it('a link that the user opens before the console has chosen the first screen keeps its screen', async () => {
      const { page } = await running().open('webhooks');
      await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      const datastores = await holdResponses(page, '**/api/datastores?limit=2');
      const code = await holdResponses(page, '**/usage-screen-*.js');
      await page.goto(running().baseUrl);
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.waitForURL('**/usage');
      await datastores.release();
      await code.release();
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/usage');
    });

    it('the command palette finds screens', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('navigation').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await auditScreenInEachAppearance(page, 'palette');
      await page.keyboard.type('key');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    });

    it('when the list of keyboard shortcuts closes, the element that had the focus before receives it again', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      const button = page.getByRole('button', { name: 'New datastore' });
      await button.focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await auditScreenInEachAppearance(page, 'shortcuts');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();
    });

    it('a letter typed into a field triggers no shortcut', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('button', { name: 'New datastore' }).click();
      await page.getByLabel('Name').fill('');
      await page.keyboard.type('g k?');
      expect(await page.getByLabel('Name').inputValue()).toBe('g k?');
      expect(await page.getByRole('dialog').count()).toBe(1);
    });

    it('the first press of Tab focuses a link that moves the focus to the main content', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('navigation').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('main:focus').waitFor();
    });

    it('the console keeps the chosen theme and language after a reload', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('button', { name: /Theme/ }).click();
      await expectNoAccessibilityViolation(page);
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      await page.getByRole('button', { name: /Language/ }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Noch keine Datastores' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Noch keine Datastores' }).waitFor();
      expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark');
    });

    it('the home address opens the first steps screen while “Quarry documentation” is the only datastore of the organization', async () => {
      const { page, client } = await running().open('', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Quarry documentation' }),
      });
      await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
      await client.createDatastore({ name: 'Manuals' });
      await page.goto(running().baseUrl);
      await page.getByRole('heading', { name: 'Datastores', level: 1 }).waitFor();
    });

    it('the console explains an unknown address', async () => {
      const { page } = await running().open('nothing/here');
      await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
      await auditScreenInEachAppearance(page, 'not-found');
      await page.getByRole('link', { name: 'Go to the first screen' }).click();
      await page.locator('nav [aria-current=page]').waitFor();
    });

    it('the navigation hides the screens that the scopes of the key do not permit', async () => {
      const { page } = await running().open('', { scopes: ['query'] });
      await page.getByRole('heading', { name: 'Your key has no screens' }).waitFor();
      expect(await page.getByRole('link').count()).toBe(0);
    });

    it('the console reports that the browser is offline, and loads the opened screen without a page reload when it is online again', async () => {
      const { page, context } = await running().open('keys');
      await page.getByRole('table').waitFor();
      await page.evaluate('window.isFirstLoad = true');
      await context.setOffline(true);
      await page.getByText('You are offline').waitFor();
      await auditScreenInEachAppearance(page, 'offline');
      await page.keyboard.press('g');
      await page.keyboard.press('d');
      await context.setOffline(false);
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      await page.getByText('You are offline').waitFor({ state: 'detached' });
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    });

    it('the navigation collapses in narrow windows', async () => {
      const { page } = await running().open('keys', { width: 390, height: 800 });
      await page.getByRole('table').waitFor();
      expect(await page.getByRole('link', { name: 'Datastores' }).isVisible()).toBe(false);
      await auditScreenInEachAppearance(page, 'narrow');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await auditScreenInEachAppearance(page, 'narrow-navigation');
      await page.keyboard.press('Escape');
      const opener = page.getByRole('button', { name: 'Open navigation', expanded: false });
      await opener.and(page.locator(':focus')).click();
      await page.getByRole('link', { name: 'Datastores' }).click();
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
    });
  });
}

/**
 * Delays the responses to those requests of the page whose URLs match a pattern. `release` ends the delay, and waits
 * until the page has received the first of these responses.
 */
async function holdResponses(page: Page, pattern: string): Promise<{ readonly release: () => Promise<void> }> {
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return {
    release: async () => {
      const response = page.waitForResponse(pattern);
      release(undefined);
      await (await response).finished();
    },
  };
}
