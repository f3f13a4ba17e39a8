import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Paths of items that do not exist, each with the text and the link that its screen shows. */
const MISSING = [
  ['agents/none', 'This agent does not exist', 'Show all agents', 'agents'],
  ['conversations/none', 'This conversation does not exist', 'Show all conversations', 'conversations'],
  ['evaluations/none', 'This evaluation does not exist', 'Show all evaluations', 'evaluations'],
  ['webhooks/none', 'This webhook does not exist', 'Show all webhooks', 'webhooks'],
  ['organizations/none/usage', 'This organization does not exist', 'Show all organizations', 'organizations'],
  ['datastores/none', 'This datastore does not exist', 'Show all datastores', 'datastores'],
  ['datasources/none', 'This datasource does not exist', 'Show all datastores', 'datastores'],
] as const;

/** Tests the screens of items that do not exist. */
export function testMissingItems(running: () => ConsoleUnderTest): void {
  describe('the address of an item that does not exist', () => {
    it.each(MISSING)('the screen %s shows “%s” and a link to the list', async (path, text, link, list) => {
      const { page } = await running().open(path, { isOperator: true });
      await page.getByRole('heading', { name: text }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.locator('main').getByRole('button').count()).toBe(0);
      if (path.startsWith('agents')) await auditScreenInEachAppearance(page, 'missing-agent');
      await page.locator('main').getByRole('link', { name: link }).click();
      await page.waitForURL(`**/${list}`);
    });
  });
}
