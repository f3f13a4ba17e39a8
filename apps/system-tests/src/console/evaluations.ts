import type { QuarryClient } from '@quarry/client';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance, expectNoAccessibilityViolation } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const TOOLS = ['hammer', 'chisel', 'spanner', 'plane', 'saw', 'drill', 'rasp', 'vice'];
/** Questions as CSV. Each question has two relevant documents, so a search with one result has a recall of one half. */
const CSV = ['question,document', ...TOOLS.map((tool) => `How heavy is the ${tool}?,red ${tool}|blue ${tool}`)].join(
  '\n',
);
const JSONL = TOOLS.map((tool) =>
  JSON.stringify({
    question: `How heavy is the ${tool}?`,
    expected: ['grams'],
    relevant: [{ document: `red ${tool}` }],
  }),
).join('\n');

/** Creates a datastore with two documents per tool, and an agent with one answer that is rated as helpful. */
async function createEvaluationContent(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Workshop' });
  const documents = TOOLS.flatMap((tool) =>
    ['red', 'blue'].map((colour) => ({
      name: `${colour} ${tool}`,
      text: `The ${colour} ${tool} weighs ${String(tool.length)}00 grams. Keep it dry, and store it in the ${colour} cabinet.`,
    })),
  );
  await addTexts(client, id, documents);
  // The forms must preselect the datastore with content, not this newer one.
  await client.createDatastore({ name: 'Empty' });
  const agent = await client.createAgent({ name: 'Clerk', datastoreIds: [id] });
  const answer = await client.queryAgent(agent.id, { query: 'How heavy is the red saw?' });
  await client.setFeedback(answer.conversationId, answer.messageId, { rating: 'up' });
}

async function openEvaluationForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'New evaluation' }).first().click();
  return page.getByRole('dialog', { name: 'New evaluation' });
}

async function runEvaluation(page: Page, form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Start' }).click();
  await page.locator('.page-header-title').getByText('Done').waitFor();
  await page.getByRole('heading', { name: 'Measures' }).waitFor();
}

async function returnToEvaluationList(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Evaluations' }).click();
}

/** Tests the screens of the evaluations. */
export function testEvaluations(running: () => ConsoleUnderTest): void {
  describe('the evaluations screens', () => {
    it('a user evaluates a datastore with pasted questions, and compares two evaluations question by question', async () => {
      const { page, client } = await running().open('evaluations', { prepare: createEvaluationContent });
      await page.getByRole('heading', { name: 'No evaluations yet' }).waitFor();
      const first = await openEvaluationForm(page);
      await first.getByLabel('Name').fill('Ten results for every question of the workshop');
      await first.getByLabel('Questions', { exact: true }).fill(CSV);
      await auditScreenInEachAppearance(page, 'evaluations-new');
      await runEvaluation(page, first);
      await page.getByRole('button', { name: 'How heavy is the hammer?' }).click();
      const question = page.getByRole('dialog', { name: 'Question' });
      await question.getByText('The red hammer weighs 600 grams.').first().waitFor();
      expect(await question.getByRole('link', { name: 'red hammer' }).getAttribute('href')).toMatch(/\/documents\//);
      await auditScreenInEachAppearance(page, 'evaluation-question');
      await page.keyboard.press('Escape');

      await returnToEvaluationList(page);
      const second = await openEvaluationForm(page);
      await second.getByLabel('Name').fill('One result');
      await second.getByLabel('Results per question').fill('1');
      await second.getByLabel('Dataset').selectOption({ label: 'Ten results for every question of the workshop (8)' });
      await runEvaluation(page, second);
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.getByLabel('Compare with').selectOption({ label: 'Ten results for every question of the workshop' });
      await page.getByText('Worse by nDCG@10').waitFor();
      await page.getByRole('table', { name: 'Questions' }).getByText('How heavy is the vice?').waitFor();
      await auditScreenInEachAppearance(page, 'evaluation-comparison');
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 800 });
      await returnToEvaluationList(page);
      await page.getByRole('link', { name: 'One result' }).waitFor();
      await auditScreenInEachAppearance(page, 'evaluations');
      expect((await client.listEvaluations()).items).toMatchObject([
        { settings: { topK: 1 } },
        { settings: { topK: 10 } },
      ]);
    });

    it('a user cancels an evaluation after a confirmation', async () => {
      const { page, client } = await running().open('evaluations', { prepare: createEvaluationContent });
      const [datastore] = (await client.listDatastores()).items;
      // An evaluation of so many questions is still in progress when the test cancels it.
      const questions = Array.from({ length: 2_000 }, (_, index) => ({ question: `How heavy is tool ${index}?` }));
      const { id } = await client.createEvaluation({ datastoreId: datastore?.id ?? '', dataset: { questions } });
      await page.goto(new URL(`evaluations/${id}`, running().baseUrl).href);
      await page.getByRole('button', { name: 'Cancel' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel evaluation' });
      await auditScreenInEachAppearance(page, 'evaluation-cancel');
      await dialog.getByRole('button', { name: 'Keep running' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(['waiting', 'running']).toContain((await client.getEvaluation(id)).status);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByRole('button', { name: 'Cancel evaluation' }).click();
      await page.getByText('The evaluation was cancelled.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect((await client.getEvaluation(id)).status).toBe('cancelled');
    });

    it('a user evaluates an agent with a file of questions, and a datastore with the questions of answers rated as helpful', async () => {
      const { page, client } = await running().open('evaluations', { prepare: createEvaluationContent });
      const file = await openEvaluationForm(page);
      await file.getByLabel('Measured').selectOption({ label: 'Agent: Clerk' });
      await file.getByLabel('Results per question').waitFor({ state: 'detached' });
      const buffer = Buffer.from(JSONL);
      const chooser = page.waitForEvent('filechooser');
      await file.getByRole('button', { name: 'Choose a file' }).press('Enter');
      await (await chooser).setFiles({ name: 'tools.jsonl', mimeType: 'application/jsonl', buffer });
      await file.getByText('tools.jsonl', { exact: true }).waitFor();
      await expect.poll(async () => file.getByLabel('Questions', { exact: true }).inputValue()).toBe(JSONL);
      await runEvaluation(page, file);
      await page.getByText('Precision of citations').waitFor();
      await auditScreenInEachAppearance(page, 'evaluation-agent');
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 800 });

      await returnToEvaluationList(page);
      const rated = await openEvaluationForm(page);
      await rated.getByLabel('Dataset').selectOption({ label: 'Questions of answers rated as helpful' });
      await rated.getByLabel('Answers of').selectOption({ label: 'Clerk' });
      await auditScreenInEachAppearance(page, 'evaluations-new-feedback');
      await runEvaluation(page, rated);
      await page.getByRole('button', { name: 'How heavy is the red saw?' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete evaluation' }).click();
      await page.getByText('“Feedback” was deleted.').waitFor();
      expect((await client.listEvaluations()).items).toHaveLength(1);
    });

    it('the form shows at the field “Questions” why questions were refused, and moves the focus there', async () => {
      const { page } = await running().open('evaluations', { prepare: createEvaluationContent, height: 640 });
      const form = await openEvaluationForm(page);
      const questions = form.getByLabel('Questions', { exact: true });
      await questions.fill('{"question":5}\n\n{"query":"Where?","question":"Where?"}');
      await form.getByRole('button', { name: 'Start' }).click();
      const problem = form.getByText('Line 1: “question” must be a string, found 5.');
      await problem.waitFor();
      await form.getByText('Line 3: “query” is not a field of this object.').waitFor();
      await questions.and(page.locator(':focus')).waitFor();
      expect(await questions.getAttribute('aria-invalid')).toBe('true');
      const { y = 0 } = (await problem.boundingBox()) ?? {};
      expect(y).toBeLessThan((await form.locator('footer').boundingBox())?.y ?? 0);
      expect(await form.getByRole('alert').count()).toBe(0);
      await expectNoAccessibilityViolation(page);
      await auditScreenInEachAppearance(page, 'evaluations-new-refused');
      await questions.fill('{"question":"Where?"}');
      await problem.waitFor({ state: 'detached' });
      await runEvaluation(page, form);
    });
  });
}
