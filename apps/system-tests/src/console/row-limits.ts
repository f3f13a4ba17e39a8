import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './console-under-test.js';
import { startWebhookReceiver } from './start-webhook-receiver.js';

const COUNT = 300;
const MAX_ROWS = 60;
const POLLING = { timeout: 15_000 };

/** Replaces the items in the API responses from an address by `COUNT` copies of the first item. */
async function repeatFirstItemOfResponse(page: Page, address: string | RegExp): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { readonly items: readonly { readonly id: string }[] }; // a list of the API
    const copies = Array.from({ length: COUNT }, (_copy, at) => ({ ...items[0], id: `${items[0]?.id}-${at}` }));
    await route.fulfill({ response, json: { items: copies, next_cursor: null } });
  });
}

/**
 * Scrolls through a table to its end. Returns the maximum number of rows that were rendered at once, and the
 * `aria-rowindex` of the last row.
 */
async function scrollThroughTableRows(page: Page): Promise<readonly [rows: number, last: string | null]> {
  const table = page.getByRole('table');
  await table.waitFor();
  await expect.poll(async () => table.getAttribute('aria-rowcount'), POLLING).toBe(String(COUNT + 1));
  let rows = await table.locator('tbody tr').count();
  for (const part of [0.5, 1]) {
    await page.evaluate(`{
      const frame = document.querySelector('.table-frame');
      frame.scrollTop = frame.scrollHeight * ${part};
    }`);
    await expect
      .poll(async () => Number(await table.getByRole('row').last().getAttribute('aria-rowindex')), POLLING)
      .toBeGreaterThan(COUNT * part * 0.8);
    rows = Math.max(rows, await table.locator('tbody tr').count());
  }
  return [rows, await table.getByRole('row').last().getAttribute('aria-rowindex')];
}

/** Tests that long tables render only some of their rows. */
export function testRowLimits(running: () => ConsoleUnderTest): void {
  describe('tables with many rows', () => {
    it('the tables of keys, conversations and deliveries render at most 60 rows', async () => {
      const { url } = await startWebhookReceiver();
      let webhookId = '';
      const { page } = await running().open('keys', {
        prepare: async (client) => {
          const agent = await client.createAgent({ name: 'Support', datastoreIds: [] });
          await client.queryAgent(agent.id, { query: 'How long does the warranty last?' });
          ({ id: webhookId } = await client.createWebhook({ url }));
          await client.testWebhook(webhookId);
        },
      });
      await repeatFirstItemOfResponse(page, /\/api\/(api-keys|conversations|webhooks\/[^/]+\/deliveries)(\?|$)/);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      for (const path of ['keys', 'conversations?order=newestFirst', `webhooks/${webhookId}`]) {
        await page.goto(new URL(path, running().baseUrl).href);
        const [rows, last] = await scrollThroughTableRows(page);
        expect(rows, path).toBeLessThanOrEqual(MAX_ROWS);
        expect(last, path).toBe(String(COUNT + 1));
      }
      // The API's list contains the first question of each conversation, so the table requests no messages.
      expect(requests.filter((url) => /\/api\/conversations\/.+\/messages/.test(url))).toEqual([]);
    });
  });
}
