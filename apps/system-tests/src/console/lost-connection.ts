import { describe, expect, it, onTestFinished } from 'vitest';
import { openBreakableLink, type BreakableLink } from '../quarry/breakable-link.js';
import { PAUSE_MARKER } from '../quarry/pausable-model.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import { connectPausableModel } from './connect-pausable-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';

/** Opens a proxy to Quarry until the end of the test. The test can break the connections of the proxy. */
async function openBreakableConsoleLink(
  running: ConsoleUnderTest,
): Promise<BreakableLink & { readonly baseUrl: string }> {
  const link = await openBreakableLink(Number(new URL(running.baseUrl).port));
  onTestFinished(async () => link.close());
  return { ...link, baseUrl: `http://127.0.0.1:${link.port}/` };
}

/** Tests that live updates and answers continue after the connection to Quarry was lost. */
export function testLostConnection(running: () => ConsoleUnderTest): void {
  describe('a lost connection', () => {
    it('the console reports that the browser is offline, and live updates continue without a reload when it is online', async () => {
      const { page, context, client, datastoreId } = await openNewDatastore(running());
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

    it('an idle page reports that Quarry does not respond, and live updates continue after the reconnection', async () => {
      const link = await openBreakableConsoleLink(running());
      const { page, client, datastoreId } = await openNewDatastore(running(), { baseUrl: link.baseUrl });
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      await page.evaluate('window.isFirstLoad = true');
      await link.break();
      await page.getByText('Quarry does not respond. Trying again.').waitFor();
      await auditScreenInEachAppearance(page, 'unreachable');
      await client.upsertDocuments(datastoreId, [{ name: 'Missed', text: 'Added while the link was broken.' }]);
      await link.restore();
      await page.getByRole('link', { name: 'Missed' }).waitFor();
      await page.getByText('Quarry does not respond').waitFor({ state: 'detached' });
      await client.upsertDocuments(datastoreId, [{ name: 'Live', text: 'Added after the link was restored.' }]);
      await page.getByRole('link', { name: 'Live' }).waitFor();
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    });

    it('a screen that is opened while Quarry does not respond appears after the reconnection, without a reload', async () => {
      const link = await openBreakableConsoleLink(running());
      const { page } = await running().open('datastores', { baseUrl: link.baseUrl });
      const heading = page.getByRole('heading', { name: 'Datastores', level: 1 });
      await heading.waitFor();
      await page.evaluate('window.isFirstLoad = true');
      await link.break();
      await page.getByRole('link', { name: 'Usage' }).click();
      const notice = page.getByText('Quarry does not respond. Trying again.');
      await notice.waitFor();
      const [noticeBox, headingBox] = [await notice.boundingBox(), await heading.boundingBox()];
      expect((noticeBox?.y ?? Infinity) + (noticeBox?.height ?? 0)).toBeLessThanOrEqual(headingBox?.y ?? 0);
      await link.restore();
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
      await page.getByLabel('Range').waitFor();
      expect(await page.evaluate("getComputedStyle(document.querySelector('.usage-range')).maxWidth")).toBe('240px');
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    });

    it('a dialog that is opened while Quarry does not respond leaves the screen as it is, and appears after the reconnection', async () => {
      const link = await openBreakableConsoleLink(running());
      const { page } = await running().open('agents', { baseUrl: link.baseUrl });
      const button = page.getByRole('button', { name: 'New agent' });
      await button.waitFor();
      await link.break();
      await button.click();
      await page.getByText('Quarry does not respond. Trying again.').waitFor();
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      expect(await page.getByText('This screen has failed').count()).toBe(0);
      await link.restore();
      await page.getByRole('dialog', { name: 'New agent' }).getByLabel('Name').waitFor();
    });

    it('an answer in progress stays on the screen while the connection is lost, and is completed after the reconnection', async () => {
      const link = await openBreakableConsoleLink(running());
      const model = await connectPausableModel(running());
      const { page, client } = await running().open('agents', {
        baseUrl: link.baseUrl,
        prepare: async (tenant) => tenant.createAgent({ name: 'Geologist', datastoreIds: [] }),
      });
      await page.getByRole('link', { name: 'Geologist' }).click();
      await page.getByLabel('Ask a question').fill(`How does granite cool? ${PAUSE_MARKER}`);
      await page.keyboard.press('Enter');
      const answer = page.locator('.turn-answer .markdown');
      for (let cut = 1; cut <= 2; cut += 1) {
        await expect.poll(async () => answer.innerText(), { timeout: 10_000 }).toMatch(/^Granite?$/);
        await link.break();
        await page.getByText('Quarry does not respond. Trying again.').waitFor();
        expect(await answer.innerText()).toMatch(/^Granite?$/);
        // The model ends its answer while the connection is broken for the second time.
        if (cut === 2) model.resumeAnswers();
        await link.restore();
        await page.getByText('Quarry does not respond').waitFor({ state: 'detached' });
      }
      await expect.poll(async () => answer.innerText(), { timeout: 10_000 }).toBe('Granite cools slowly.');
      await page.getByText('The answer was cut off. It was resumed where it stopped.').waitFor();
      await auditScreenInEachAppearance(page, 'agent-chat-after-cut');
      expect(await page.getByLabel('Ask a question').isEnabled()).toBe(true);
      await page.reload();
      await page.getByText('Granite cools slowly.').waitFor();
      expect(await answer.count()).toBe(1);
      expect((await client.listConversations()).items).toMatchObject([{ turns: 1 }]);
    });
  });
}
