import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PAUSE_MARKER } from '../quarry/pausable-model.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import { connectPausableModel } from './connect-pausable-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const QUESTION = 'When is the workshop in Graz open?';
const TEXT = 'Opening hours\n\nThe workshop in Graz is open on Saturdays until noon.';
const OTHER = 'Prices\n\nThe repair of a drill costs ninety euros.';

async function addPastedText(page: Page, text: string): Promise<void> {
  await page.getByRole('tab', { name: 'Text' }).click();
  await page.getByLabel('Paste a text').fill(text);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('link', { name: text.split('\n')[0] ?? '' }).waitFor();
}

async function askQuestion(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.keyboard.press('Enter');
  await findAnswerSources(page).last().waitFor();
}

function findAnswerSources(page: Page) {
  return page.getByRole('region', { name: 'Answer' }).getByRole('list', { name: 'Sources' });
}

/** Waits until the question and its answer with the source are shown. */
async function waitForAnswer(page: Page): Promise<void> {
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText(QUESTION).waitFor();
  await answer.locator('.markdown').getByText('open on Saturdays').first().waitFor();
  await findAnswerSources(page)
    .getByRole('link', { name: /Opening hours/ })
    .waitFor();
}

async function openScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function listDatastoreAndAgentNames(client: QuarryClient): Promise<readonly (readonly string[])[]> {
  const [datastores, agents] = await Promise.all([client.listDatastores(), client.listAgents()]);
  return [datastores.items, agents.items].map((items) => items.map(({ name }) => name).sort());
}

/** Tests what the first steps screen shows when the user returns to it or reloads it. */
export function testFirstRunReturn(running: () => ConsoleUnderTest): void {
  describe('the return to the first steps', () => {
    it('the first steps screen shows question, answer and sources again after the user opened a citation, and after a reload', async () => {
      const { page } = await running().open('start');
      await addPastedText(page, TEXT);
      await askQuestion(page, QUESTION);
      await findAnswerSources(page)
        .getByRole('link', { name: /Opening hours/ })
        .click();
      await page.getByRole('option', { name: /open on Saturdays/, selected: true }).waitFor();
      await page.goBack();
      await waitForAnswer(page);
      await auditScreenInEachAppearance(page, 'first-run-back');
      await page.setViewportSize({ width: 390, height: 844 });
      await auditScreenInEachAppearance(page, 'first-run-back-narrow');
      await findAnswerSources(page)
        .getByRole('link', { name: /Opening hours/ })
        .click();
      await page.getByRole('option', { name: /open on Saturdays/, selected: true }).waitFor();
      await page.goBack();
      await waitForAnswer(page);
      await expect.poll(async () => (await findAnswerSources(page).boundingBox())?.y).toBeLessThan(844);
      await auditScreenInEachAppearance(page, 'first-run-back-narrow-answer');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.reload();
      await waitForAnswer(page);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        await page.getByText('Connect a model').scrollIntoViewIfNeeded();
        await auditScreenInEachAppearance(page, `first-run-links-${width}`);
        const header = await page.getByRole('heading', { name: 'First steps', level: 1 }).boundingBox();
        expect(header?.y).toBeGreaterThan(0);
      }
    });

    it('the first steps screen keeps its state while another screen is open, and adds further content to the same datastore', async () => {
      const { page, client } = await running().open('start');
      await page.getByText('Quarry stores it in the new datastore “My documents”.').waitFor();
      await addPastedText(page, TEXT);
      await page.getByText('With the first question, Quarry creates an agent').waitFor();
      await askQuestion(page, QUESTION);
      await openScreen(page, 'Datastores');
      await openScreen(page, 'First steps');
      await waitForAnswer(page);
      await addPastedText(page, OTHER);
      await page.getByRole('link', { name: 'Opening hours' }).first().waitFor();
      expect(await listDatastoreAndAgentNames(client)).toEqual([['My documents'], ['My documents']]);
      const steps = page.getByRole('list').filter({ hasText: 'Agent:' });
      await steps.getByRole('link', { name: 'This conversation' }).click();
      await page.getByRole('heading', { name: QUESTION, level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('listitem').filter({ hasText: 'Agent:' }).last().getByRole('link').click();
      await page.getByRole('heading', { name: 'My documents', level: 1 }).waitFor();
      await page.getByLabel('Ask a question').waitFor();
    });

    it('the first steps screen shows the first answer again, and continues it, when the user returns while it is generated', async () => {
      const model = await connectPausableModel(running());
      const { page } = await running().open('start');
      await addPastedText(page, TEXT);
      await page.getByRole('textbox', { name: 'Question' }).fill(`${QUESTION} ${PAUSE_MARKER}`);
      await page.keyboard.press('Enter');
      const answer = page.getByRole('region', { name: 'Answer' }).locator('.markdown');
      await answer.getByText(/^Granite?$/).waitFor();
      await openScreen(page, 'Datastores');
      await openScreen(page, 'First steps');
      await answer.getByText(/^Granite?$/).waitFor();
      await page.getByText(`${QUESTION} ${PAUSE_MARKER}`).waitFor();
      await auditScreenInEachAppearance(page, 'first-run-back-running');
      await openScreen(page, 'Datastores');
      await page.goBack();
      await answer.getByText(/^Granite?$/).waitFor();
      model.resumeAnswers();
      await answer.getByText('Granite cools slowly.').waitFor();
      await page.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      await page.reload();
      await page.getByText(`${QUESTION} ${PAUSE_MARKER}`).waitFor();
      await answer.getByText('Granite cools slowly.').waitFor();
    });

    it('on the first steps screen, a user can start again with a new datastore and a new agent, whose names are not used yet', async () => {
      const { page, client } = await running().open('start');
      await addPastedText(page, TEXT);
      await askQuestion(page, QUESTION);
      await page.getByRole('link', { name: 'Start with a new datastore' }).click();
      await page.getByText('Quarry stores it in the new datastore “My documents 2”.').waitFor();
      await auditScreenInEachAppearance(page, 'first-run-new');
      await page.getByRole('link', { name: 'Continue with the last datastore' }).click();
      await waitForAnswer(page);
      await page.getByRole('link', { name: 'Start with a new datastore' }).click();
      await addPastedText(page, OTHER);
      await askQuestion(page, 'What does the repair of a drill cost?');
      expect(await page.getByRole('link', { name: 'Opening hours' }).count()).toBe(0);
      expect(await listDatastoreAndAgentNames(client)).toEqual([
        ['My documents', 'My documents 2'],
        ['My documents', 'My documents 2'],
      ]);
    });

    it('if the datastore of the first steps screen was deleted, the screen starts again with a new datastore', async () => {
      const { page, client } = await running().open('start', { expectedError: /status of 404/ });
      await addPastedText(page, TEXT);
      await askQuestion(page, QUESTION);
      const address = page.url();
      await openScreen(page, 'Agents');
      const [datastore] = (await client.listDatastores()).items;
      await client.deleteDatastore(datastore?.id ?? '');
      await openScreen(page, 'First steps');
      await page.getByText('Quarry stores it in the new datastore “My documents').waitFor();
      await page.goto(address);
      await page.getByText('Quarry stores it in the new datastore “My documents').waitFor();
      expect(await page.evaluate("localStorage.getItem('quarry.first-steps')")).toBeNull();
      await addPastedText(page, OTHER);
      await askQuestion(page, 'What does the repair of a drill cost?');
      expect((await listDatastoreAndAgentNames(client))[1]).toEqual(['My documents', 'My documents 2']);
    });

    it('the first steps screen stores only ids in the browser, and ignores the ids that belong to another organization', async () => {
      const { page, client, organization } = await running().open('start');
      const { id } = await client.createDatastore({ name: 'Manuals' });
      const stored = [
        { organizationId: 'another', datastoreId: id },
        { organizationId: organization.id, datastoreId: 1 },
      ];
      await page.evaluate(`localStorage.setItem('quarry.first-steps', '${JSON.stringify(stored)}')`);
      await page.reload();
      await page.getByText('Quarry stores it in the new datastore “My documents”.').waitFor();
      await addPastedText(page, TEXT);
      const [created] = (await client.listDatastores()).items;
      const written = await page.evaluate<string>("localStorage.getItem('quarry.first-steps')");
      expect(JSON.parse(written)).toEqual([
        { organizationId: organization.id, datastoreId: created?.id },
        { organizationId: 'another', datastoreId: id },
      ]);
    });
  });
}
