import { describe, expect, it, onTestFinished } from 'vitest';
import { openLink } from '../quarry/breakable-link.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { expectAccessible } from './expect-accessible.js';
import { openDatastore } from './open-datastore.js';
import { takePicture } from './take-picture.js';

/** Tests live updates across a lost connection. */
export function testLostConnection(running: () => ConsoleUnderTest): void {
  describe('a lost connection', () => {
    it('an offline browser reports the lost connection, and live updates continue without a reload', async () => {
      const { page, context, client, datastoreId } = await openDatastore(running());
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      await page.evaluate('window.isFirstLoad = true');
      await context.setOffline(true);
      await page.getByText('You are offline').waitFor();
      await client.upsertDocuments(datastoreId, [{ name: 'Missed', text: 'Added while the browser was offline.' }]);
      await context.setOffline(false);
      await page.getByRole('link', { name: 'Missed' }).waitFor();
      await page.getByText('You are offline').waitFor({ state: 'detached' });
      await client.upsertDocuments(datastoreId, [{ name: 'Live', text: 'Added after the browser was offline.' }]);
      await page.getByRole('link', { name: 'Live' }).waitFor();
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    });

    it('an idle page reports that Quarry does not respond, and live updates continue', async () => {
      const link = await openLink(Number(new URL(running().baseUrl).port));
      onTestFinished(async () => link.close());
      const baseUrl = `http://127.0.0.1:${link.port}/`;
      const { page, client, datastoreId } = await openDatastore(running(), { baseUrl });
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      await page.evaluate('window.isFirstLoad = true');
      await link.break();
      await page.getByText('Quarry does not respond. Trying again.').waitFor();
      await expectAccessible(page);
      await takePicture(page, 'unreachable');
      await client.upsertDocuments(datastoreId, [{ name: 'Missed', text: 'Added while the link was broken.' }]);
      await link.restore();
      await page.getByRole('link', { name: 'Missed' }).waitFor();
      await page.getByText('Quarry does not respond').waitFor({ state: 'detached' });
      await client.upsertDocuments(datastoreId, [{ name: 'Live', text: 'Added after the link was restored.' }]);
      await page.getByRole('link', { name: 'Live' }).waitFor();
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    });
  });
}
