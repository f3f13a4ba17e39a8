import { makeProducts } from '@quarry/example-listing-server/products';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { forEachAppearance } from './appearances.js';
import { chooseActionOfOpenDatasource, openNewListing } from './open-new-datasource.js';
import { startListingServer } from './start-listing-server.js';

const PRODUCTS = 20;

/**
 * For each language of the console: the code of the other language, and the texts that the screen shows after a dry
 * run.
 */
const DRY_RUN_TEXTS = {
  en: [
    'de',
    'Report of the dry run',
    'Last run (dry run)',
    '0 items would be indexed, 17 have not changed, 1 is invalid',
    'is not valid: title must not be empty, found "".',
    '2 of 20 known documents would be removed.',
  ],
  de: [
    'en',
    'Bericht des Probelaufs',
    'Letzter Lauf (Probelauf)',
    'Zu indexieren: 0 Artikel, unverändert: 17, ungültig: 1.',
    'ist ungültig: title darf nicht leer sein, gefunden: "".',
    'Zu entfernen: 2 von 20 Dokumenten.',
  ],
} as const;

/** Tests the dry run of a datasource. */
export function testDryRun(running: () => ConsoleUnderTest): void {
  describe('the dry run of a datasource', () => {
    it('a dry run reports which documents a sync would index or remove, and changes nothing', async () => {
      const listing = await startListingServer(PRODUCTS);
      const { page, client, datasourceId } = await openNewListing(running(), listing);
      const [first, ...others] = makeProducts(PRODUCTS - 2);
      listing.setItems([{ ...(first ?? { id: 'x' }), title: '', date_modified: new Date().toISOString() }, ...others]);
      await chooseActionOfOpenDatasource(page, 'Dry run');
      await page.getByText('2 of 20 known documents would be removed.').waitFor();
      await forEachAppearance(page, async ({ language }) => {
        const [inOtherLanguage, ...texts] = DRY_RUN_TEXTS[language];
        for (const text of texts) await page.getByText(text).waitFor();
        expect(await page.locator(`.notice [lang=${inOtherLanguage}]`).count()).toBe(0);
        expect(await page.locator('.run-notes li').count()).toBe(3);
      });
      await auditScreenInEachAppearance(page, 'datasource-dry-run');
      expect((await client.listDocuments(datasourceId)).items).toHaveLength(PRODUCTS);
    });
  });
}
