import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';
import { pressEnterOn, expectFocus, pressTabUntil } from './press-keys.js';

const TEXTS = ['Drill', 'Saw', 'Lathe'].map((name) => ({
  name,
  text: `The warranty of the ${name.toLowerCase()} lasts two years.`,
}));
const QUESTION = 'How long does the warranty of the lathe last?';

async function addThreeManuals(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  await addTexts(client, id, TEXTS);
}

/** Waits until a screen is open and its heading has the focus. */
async function expectScreenHeading(page: Page, name: string): Promise<void> {
  await expectFocus(page.getByRole('heading', { name, level: 1 }));
}

/** Deletes a datasource with the keyboard, through the menu of its row. */
async function deleteDatasource(page: Page, name: string): Promise<void> {
  await expectFocus(page.getByRole('button', { name: `Actions for ${name}` }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expectFocus(page.getByRole('menuitem', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await pressEnterOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
}

/** Tests the main flows with the keyboard alone. */
export function testKeyboard(running: () => ConsoleUnderTest): void {
  describe('using the console with the keyboard alone', () => {
    it('a user adds a file, asks a question about it and opens the citation with the keyboard alone', async () => {
      const { page } = await running().open('start');
      const chooser = page.waitForEvent('filechooser');
      const choose = page.getByRole('button', { name: 'Choose files' });
      await pressEnterOn(page, choose);
      const text = TEXTS.map((item) => item.text).join('\n\n');
      await (await chooser).setFiles({ name: 'tools.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
      await page.getByRole('link', { name: 'tools.txt' }).waitFor();
      await expectFocus(choose);
      await pressTabUntil(page, page.getByRole('textbox', { name: 'Question' }));
      await page.keyboard.type(QUESTION);
      await page.keyboard.press('Enter');
      const answer = page.getByRole('region', { name: 'Answer' });
      await pressEnterOn(page, answer.getByRole('list', { name: 'Sources' }).getByRole('link').first());
      await expectScreenHeading(page, 'tools.txt');
      await pressTabUntil(page, page.getByRole('option', { name: /warranty of the lathe/, selected: true }));
    });

    it('a user runs a query and compares two settings with the keyboard alone', async () => {
      const { page } = await running().open('playground', { prepare: addThreeManuals });
      const query = page.getByRole('textbox').first();
      await expectFocus(query);
      await page.keyboard.type(QUESTION);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Results A' }).getByRole('link').first().waitFor();
      await expectFocus(query);
      await pressEnterOn(page, page.getByRole('button', { name: 'Compare with B' }));
      await pressTabUntil(page, page.getByLabel('Number of results').nth(1), 'Shift+Tab');
      await page.keyboard.type('1');
      const run = page.getByRole('button', { name: 'Run' });
      await pressTabUntil(page, run, 'Shift+Tab');
      await page.keyboard.press('Enter');
      const results = page.getByRole('region', { name: 'Results B' });
      await results.getByRole('link').first().waitFor();
      expect(await results.getByRole('link').count()).toBe(1);
      await expectFocus(run);
      await pressTabUntil(page, results.getByRole('link').first());
    });

    it('a user creates an agent and tests it with the keyboard alone', async () => {
      const { page } = await running().open('agents', { prepare: addThreeManuals });
      await pressEnterOn(page, page.getByRole('button', { name: 'New agent' }));
      const dialog = page.getByRole('dialog', { name: 'New agent' });
      await expectFocus(dialog.getByLabel('Name'));
      await page.keyboard.type('Support');
      await pressTabUntil(page, dialog.getByLabel('Manuals'));
      await page.keyboard.press('Space');
      await pressEnterOn(page, dialog.getByRole('button', { name: 'New agent' }));
      await expectScreenHeading(page, 'Support');
      const question = page.getByLabel('Ask a question');
      await pressTabUntil(page, question);
      await page.keyboard.type(QUESTION);
      await page.keyboard.press('Enter');
      const source = page.getByRole('list', { name: 'Sources' }).getByRole('link', { name: /Lathe/ });
      await source.waitFor();
      await expectFocus(question);
      await pressTabUntil(page, source, 'Shift+Tab');
    });

    it('a user creates an API key and revokes it with the keyboard alone', async () => {
      const { page } = await running().open('keys', {
        prepare: async (client) => client.createApiKey({ name: 'Website', scopes: ['query'] }),
      });
      const create = page.getByRole('button', { name: 'New key' });
      await pressEnterOn(page, create);
      const dialog = page.getByRole('dialog');
      await expectFocus(dialog.getByLabel('Name', { exact: true }));
      await page.keyboard.type('Importer');
      await pressEnterOn(page, dialog.getByRole('button', { name: 'Create key' }));
      await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor();
      await pressEnterOn(page, dialog.getByRole('button', { name: 'Done' }));
      await expectFocus(create);
      const revoke = page.getByRole('button', { name: 'Revoke Importer' });
      await pressEnterOn(page, revoke);
      await page.getByRole('dialog', { name: 'Revoke API key' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expectFocus(revoke);
      await page.keyboard.press('Enter');
      await pressEnterOn(page, dialog.getByRole('button', { name: 'Revoke' }));
      await page.getByRole('row', { name: /Importer.*Revoked/ }).waitFor();
      await expectFocus(page.getByRole('button', { name: 'Revoke Website' }));
    });

    it('a user deletes datasources with the keyboard alone, and the focus stays in the list', async () => {
      const { page, client, datastoreId } = await openNewDatastore(running(), {
        fill: async (client, id) => addTexts(client, id, TEXTS),
      });
      const names = (await client.listDatasources({ datastoreId })).items.map(({ name }) => name);
      const [first = '', second = '', third = ''] = names;
      await pressTabUntil(page, page.getByRole('button', { name: `Actions for ${second}` }));
      await page.keyboard.press('Enter');
      await expectFocus(page.getByRole('menuitem').first());
      await page.keyboard.press('Escape');
      await deleteDatasource(page, second);
      await deleteDatasource(page, third);
      await deleteDatasource(page, first);
      await expectFocus(page.getByRole('button', { name: 'Add content' }));
      expect((await client.listDatasources({ datastoreId })).items).toEqual([]);
    });
  });
}
