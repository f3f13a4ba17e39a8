import type { QuarryClient, UsageDays } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ROOT_KEY } from '../quarry/quarry-process.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Uploads a text file, and runs two searches in its datastore. */
async function createUsage(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const file = new File(['The warranty of the drill lasts two years.'], 'warranty.txt', { type: 'text/plain' });
  await client.untilSettled((await client.uploadFile(id, file)).id);
  for (const query of ['warranty', 'drill']) await client.queryDatastore(id, { query });
}

/** Tests the screen that shows the usage of an organization. */
export function testUsage(running: () => ConsoleUnderTest): void {
  describe('the usage screen', () => {
    it('the usage screen shows the usage of the first day in charts and in tables', async () => {
      const { page, client, organization } = await running().open('', { prepare: createUsage });
      await running().operator.updateOrganization(organization.id, { limits: { agentQueriesPerMonth: 1_000 } });
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByText('2 of 1,000 · 0.2% used').waitFor();
      await page.getByText('In your time zone, each day begins at').waitFor();
      const { days } = await client.getDailyUsage();
      const today = days.at(-1);
      expect(today).toMatchObject({ agentQueries: 0, datastoreQueries: 2, storedDocuments: 1 });
      const queries = page.getByRole('region', { name: 'Queries', exact: true });
      await queries.getByText('2 in total').waitFor();
      // The chart of a single day must show a point, because a line would have no length.
      expect(await countColoredPixels(page, 'Stored documents')).toBeGreaterThan(0);
      await auditScreenInEachAppearance(page, 'usage-first-day');
      await queries.getByText('Queries: table').click();
      await queries.getByRole('row', { name: /^\d+ \w+ \d{4} 0 2$/ }).waitFor();
      expect(await queries.getByRole('row').count()).toBe(31);
      const tokens = page.getByRole('region', { name: 'Stored tokens', exact: true });
      await tokens.getByText('Stored tokens: table').click();
      await tokens.getByRole('row', { name: new RegExp(` ${today?.storedTokens}$`) }).waitFor();
      expect(await tokens.getByRole('row', { name: /not recorded$/ }).count()).toBe(29);
      await auditScreenInEachAppearance(page, 'usage-tables');
    });

    it('the usage screen shows the usage of a year, the values of the day under the pointer, and the used share of a limit', async () => {
      const { page } = await running().open('', { prepare: createUsage });
      await page.route('**/api/usage', async (route) => {
        const response = await route.fetch();
        const usage = (await response.json()) as object; // as documented
        const queries = { used: 184_320, limit: 200_000, agentQueries: 120_000, datastoreQueries: 64_320 };
        await route.fulfill({ response, json: { ...usage, queries, storedTokens: { used: 5e6, limit: 5e6 } } });
      });
      await replaceDailyUsage(page);
      await page.goto(new URL('usage', running().baseUrl).href);
      await page.getByText('184,320 of 200,000 · 92.2% used').waitFor();
      await page.getByLabel('Range').selectOption({ label: 'Last 365 days' });
      await page.waitForURL(/range=year/);
      const queries = page.getByRole('region', { name: 'Queries', exact: true });
      await expect.poll(async () => queries.locator('table').getAttribute('aria-rowcount')).toBe('366');
      await page.locator('.usage-plot').first().hover();
      await expect.poll(async () => queries.locator('.usage-legend strong').count()).toBe(2);
      await auditScreenInEachAppearance(page, 'usage');
      await page.getByRole('region', { name: 'Stored documents' }).scrollIntoViewIfNeeded();
      await auditScreenInEachAppearance(page, 'usage-end');
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByLabel('Range').scrollIntoViewIfNeeded();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await auditScreenInEachAppearance(page, 'usage-narrow');
    });

    it('the usage screen shows an operator the usage of another organization, and a tenant the next step if nothing was used', async () => {
      const { page, context, organization } = await running().open('usage');
      await page.getByRole('heading', { name: 'Nothing was used in this range' }).waitFor();
      await auditScreenInEachAppearance(page, 'usage-empty');
      await page.getByRole('link', { name: 'Open datastores' }).click();
      await page.getByRole('heading', { name: 'Datastores', level: 1 }).waitFor();
      await context.request.post(`${running().quarry.baseUrl}/session`, { data: { apiKey: ROOT_KEY } });
      await page.goto(new URL('organizations', running().baseUrl).href);
      await page.getByRole('button', { name: `Actions for ${organization.name}` }).click();
      await page.getByRole('menuitem', { name: 'Show usage' }).click();
      await page.getByRole('heading', { name: `Usage of ${organization.name}` }).waitFor();
      await page.getByRole('heading', { name: 'Nothing was used in this range' }).waitFor();
      expect(await page.getByRole('link', { name: 'Open datastores' }).count()).toBe(0);
    });
  });
}

/** Counts the pixels of a chart's lines. The lines are coloured, and the axes are gray. */
async function countColoredPixels(page: Page, title: string): Promise<number> {
  return page.evaluate<number>(`(() => {
    const canvas = document.querySelector('[aria-label="${title}"] canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const color = data.slice(at, at + 3);
      if (data[at + 3] === 255 && Math.max(...color) - Math.min(...color) > 60) count += 1;
    }
    return count;
  })()`);
}

/**
 * Replaces the daily usage in the API responses that a page receives. The new usage has fewer queries at weekends, and
 * no stored tokens and documents on the first 60 days.
 */
async function replaceDailyUsage(page: Page): Promise<void> {
  await page.route(/\/api\/usage\/days\?/, async (route) => {
    const response = await route.fetch();
    const usage = (await response.json()) as UsageDays; // as documented
    const days = usage.days.map((day, at) => {
      const isWeekend = [0, 6].includes(new Date(day.day).getUTCDay());
      const busy = (isWeekend ? 0.2 : 1) * (1 + Math.sin(at / 9) / 3) * (300 + at);
      const isRecorded = at >= 60;
      return {
        ...day,
        agentQueries: Math.round(busy),
        datastoreQueries: Math.round(busy * 0.6),
        storedTokens: isRecorded ? 1_200_000 + Math.floor(at / 20) * 210_000 : null,
        storedDocuments: isRecorded ? 4_100 + Math.floor(at / 20) * 390 : null,
      };
    });
    await route.fulfill({ response, json: { ...usage, days } });
  });
}
