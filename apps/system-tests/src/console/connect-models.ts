import type { LocalModels, QuarryClient } from '@quarry/client';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { startFakeModel, type FakeModel } from '../quarry/fake-model.js';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const KEY = 'sk-granite-0123456789-wxyz';
const TEXT = 'The workshop in Graz is open on Saturdays until noon.';

/** Tests the screen on which an operator connects language models for all organizations of the installation. */
export function testConnectModels(running: () => ConsoleUnderTest): void {
  describe('the models screen', () => {
    afterEach(async () => {
      await running()
        .operator.deleteModelConnection('custom')
        .catch(() => undefined); // a test that passes has deleted it
    });

    it('an operator tests a model connection, stores it, gets an answer through it, and disconnects it', async () => {
      const model = await startWorkshopModel();
      const { page, client } = await running().open('models', { isOperator: true });
      await page.getByText('No model is connected.').waitFor();
      await auditScreenInEachAppearance(page, 'models-empty');
      await page.getByRole('button', { name: 'Connect a model' }).click();
      const form = page.getByRole('dialog', { name: 'Connect a model' });
      await form.getByLabel('Provider').selectOption('Own server');
      await form.getByLabel('Address').fill('http://127.0.0.1:9/v1');
      await form.getByLabel('Model', { exact: true }).fill('fake');
      await form.getByLabel('API key').fill(KEY);
      await form.getByRole('button', { name: 'Test and save' }).click();
      await form
        .getByText('The server cannot be reached. Check the address and the model, and that the server is running.')
        .waitFor();
      expect((await running().operator.getModelConnections()).connections).toEqual([]);
      await auditScreenInEachAppearance(page, 'models-refused');

      await form.getByLabel('Address').fill(model.url);
      await form.getByRole('button', { name: 'Test and save' }).click();
      await page.getByText(/custom\/fake responded in .+ The connection is saved\./).waitFor();
      await form.waitFor({ state: 'detached' });
      await page.getByText('Agents without a model of their own use custom/fake.').waitFor();
      await page.getByText('Key …wxyz').waitFor();
      expect(await page.content()).not.toContain(KEY);
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(KEY);
      await auditScreenInEachAppearance(page, 'models');
      expect(await askSupportAgent(client)).toEqual({ text: 'Once the workshop opens at nine.', answeredBy: 'model' });

      await page.getByRole('button', { name: 'Disconnect: Own server' }).click();
      const removal = page.getByRole('dialog', { name: 'Disconnect Own server?' });
      await auditScreenInEachAppearance(page, 'models-disconnect');
      await removal.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('Own server is no longer connected.').waitFor();
      await page.getByText('No model is connected.').waitFor();
      await expect.poll(async () => (await askSupportAgent(client)).answeredBy).toBe('extractive');
    });

    it('the first steps screen offers the Ollama server on this machine, and the next answer uses a model of this server', async () => {
      const model = await startWorkshopModel();
      const { page } = await running().open('', { isOperator: true });
      const found: LocalModels = { status: 'found', baseUrl: model.url, models: ['llama3.2', 'qwen3'] };
      const offer = page.getByRole('region', { name: 'Ollama runs on this machine' });
      let searches = 0;
      await page.route('**/api/local-models', async (route) => {
        // The response to the second search for Ollama waits until the page has removed the offer. The page must then
        // still show that the model was connected.
        if ((searches += 1) > 1) await offer.waitFor({ state: 'detached' });
        await route.fulfill({ json: found });
      });
      await page.goto(new URL('start', running().baseUrl).href);
      await page.getByRole('tab', { name: 'Text' }).click();
      await page.getByLabel('Paste a text').fill(`Opening hours\n\n${TEXT}`);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('link', { name: 'Opening hours' }).first().waitFor();
      const question = page.getByRole('textbox', { name: 'Question' });
      await question.fill('When is the workshop in Graz open?');
      await page.keyboard.press('Enter');
      await page.getByText('No language model is configured.').waitFor();
      await auditScreenInEachAppearance(page, 'first-run-connect');
      await offer.getByRole('button', { name: 'Use Ollama' }).click();
      await page.getByText(/custom\/llama3\.2 responded in/).waitFor();
      await question.fill('When is the workshop in Graz open?');
      await page.keyboard.press('Enter');
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('Once the workshop opens at nine').waitFor();
      await answer.getByRole('list', { name: 'Sources' }).last().waitFor();
      await page.getByText('A language model wrote this answer.').waitFor();
      await auditScreenInEachAppearance(page, 'first-run-model');
    });
  });
}

async function startWorkshopModel(): Promise<FakeModel> {
  const model = await startFakeModel(' the workshop opens at nine [1].');
  onTestFinished(async () => model.stop());
  return model;
}

/** Creates an agent, which uses the model of the installation, and asks it a question. */
async function askSupportAgent(
  client: QuarryClient,
): Promise<{ readonly text: string; readonly answeredBy: string | undefined }> {
  const { id } = await client.createDatastore({ name: 'Hours' });
  await addTexts(client, id, [{ name: 'Opening hours', text: TEXT }]);
  const agent = await client.createAgent({ name: 'Porter', datastoreIds: [id] });
  let text = '';
  let answeredBy: string | undefined;
  for await (const event of client.streamAgent(agent.id, { query: 'When is the workshop in Graz open?' })) {
    if (event.type === 'answer') text += event.text;
    else answeredBy = event.response.answeredBy;
  }
  return { text, answeredBy };
}
