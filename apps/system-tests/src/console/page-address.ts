import { describe, expect, it } from 'vitest';
import { showAppearance } from './appearances.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/** Tests the form field for the address of a web page on the screen of the first steps. */
export function testPageAddress(running: () => ConsoleUnderTest): void {
  describe('the address of a web page', () => {
    it('the form for a web page adds “https://” to an address, and shows the reason of a refusal until the field is edited', async () => {
      const { page } = await running().open('start');
      await page.getByRole('tab', { name: 'Web page' }).click();
      const address = page.getByLabel('Address of a web page');
      await address.fill('intranet.local/prices');
      const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/api/datasources'));
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      expect((await request).postDataJSON()).toMatchObject({ config: { source_url: 'https://intranet.local/prices' } });
      const reason = page.getByText('This address belongs to one computer or a private network.');
      await reason.waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByRole('alert').count()).toBe(0);
      await auditScreenInEachAppearance(page, 'first-run-address');
      await showAppearance(page, { theme: 'light', language: 'de' });
      await page.getByText('Laden Sie die Seite als Datei hoch, oder fügen Sie ihren Text ein.').waitFor();
      await page.getByLabel('Adresse einer Webseite').fill('example.com');
      expect(await page.locator('.field-error').count()).toBe(0);
    });
  });
}
