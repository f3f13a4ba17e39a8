import { describe, expect, it } from 'vitest';
import { auditScreen } from './audit-screen.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Tests the tables in a narrow window. */
export function testNarrowTables(running: () => ConsoleUnderTest): void {
  describe('a table in a narrow window', () => {
    it('a table in a narrow window shows names and statuses first, and that it continues to the right', async () => {
      const { page } = await running().open('keys', { width: 390, height: 844 });
      const table = page.getByRole('table', { name: 'API keys' });
      for (const name of ['Name', 'Status']) {
        const box = await table.getByRole('columnheader', { name, exact: true }).boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThan(326); // the actions begin there
      }
      const readHint = async (): Promise<number> =>
        Number(
          await page.evaluate(
            `getComputedStyle(document.querySelector('.table-frame')).getPropertyValue('--table-hint')`,
          ),
        );
      expect(await readHint()).toBeGreaterThan(0.9);
      await auditScreen(page, 'keys-narrow');
      await page.evaluate(`document.querySelector('.table-frame').scrollLeft = 1000`);
      await expect.poll(readHint, { timeout: 10_000 }).toBeLessThan(0.1);
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect.poll(readHint, { timeout: 10_000 }).toBe(0);
    });
  });
}
