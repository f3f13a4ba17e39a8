import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleUnderTest } from './console-under-test.js';
import { MAX_FIRST_LOAD_BYTES } from './first-load.js';
import { startPrefixProxy, type PrefixProxy } from './prefix-proxy.js';

const FILES = fileURLToPath(new URL('../../../console/dist/web/', import.meta.url));

/** Tests how browsers load the files of the console: size, cache, files of an old version, and a path prefix. */
export function testConsoleFileDelivery(running: () => ConsoleUnderTest): void {
  describe('the first load', () => {
    it('the first screen of the console loads at most 150 kB of compressed JavaScript', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      const loaded = await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
      );
      const scripts = loaded.filter((path) => path.endsWith('.js') && path.startsWith('/assets/'));
      const bytes = scripts.map((path) => readFileSync(`${FILES}${path.slice(1)}.gz`).length);
      expect(scripts.length).toBeGreaterThan(1);
      expect(bytes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
    });

    it('the browser loads the files of the first screen from its cache after a reload', async () => {
      const { page } = await running().open('datastores');
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      const transferred = await page.evaluate<number[]>(
        `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/')).map(({ transferSize }) => transferSize)`,
      );
      expect(new Set(transferred)).toEqual(new Set([0]));
    });
  });

  describe('an update of the console', () => {
    it('after an update, the console reloads the page if a script of its old version no longer exists', async () => {
      // While the pointer is over the link, the router preloads the screen and logs this error. A click on the link
      // logs no error.
      const expectedError = /Failed to fetch dynamically imported module: .*\/keys-screen-/;
      const { page } = await running().open('datastores', { expectedError });
      await page.getByRole('heading', { name: 'No datastores yet' }).waitFor();
      let isCurrent = false;
      page.on('request', (request) => (isCurrent ||= request.isNavigationRequest()));
      await page.route('**/assets/keys-screen-*.js', (route) =>
        isCurrent ? route.continue() : route.fulfill({ status: 404, body: '{}' }),
      );
      const link = page.getByRole('link', { name: 'API keys' });
      await Promise.all([page.waitForResponse(/keys-screen-/), link.hover()]);
      await link.click();
      await page.getByRole('table').waitFor();
      expect(isCurrent).toBe(true);
    });
  });

  describe('the console below a path prefix', () => {
    let proxy: PrefixProxy;
    beforeAll(async () => {
      proxy = await startPrefixProxy(running().baseUrl, '/tools/quarry');
    });
    afterAll(async () => {
      await proxy.close();
    });

    it('the console below a path prefix signs in, opens screens and reloads a deep link', async () => {
      const { page, apiKey } = await running().open('datastores', { isSignedIn: false, baseUrl: proxy.baseUrl });
      await page.getByLabel('API key').fill(apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Datastores', level: 1 }).waitFor();
      expect(page.url()).toBe(`${proxy.baseUrl}datastores`);
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('table').waitFor();
      expect(page.url()).toBe(`${proxy.baseUrl}keys`);
      await page.goto(`${proxy.baseUrl}nothing/so/deep`);
      await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Go to the first screen' }).click();
      await page.locator('nav [aria-current=page]').waitFor();
      expect(page.url().startsWith(proxy.baseUrl)).toBe(true);
    });
  });
}
