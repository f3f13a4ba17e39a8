import type { Agent } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFakeModel } from '../quarry/fake-model.js';
import { PAUSE_MARKER } from '../quarry/pausable-model.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import { connectPausableModel } from './connect-pausable-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { askQuestion, createSupportAgent, SUPPORT_QUESTION } from './support-agent.js';

async function openSupportAgentTab(running: ConsoleUnderTest, page: Page, { id }: Agent, tab = 'chat'): Promise<void> {
  await page.goto(new URL(`agents/${id}?tab=${tab}`, running.baseUrl).href);
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();
}

/**
 * Tests the test chat of an agent after the user leaves the chat and returns, and the notice that no model is
 * connected.
 */
export function testAgentChatReturn(running: () => ConsoleUnderTest): void {
  describe('the test chat of an agent', () => {
    it('the test chat shows question, answer and sources again when the user opens a citation and then goes back', async () => {
      const { page, client } = await running().open('agents');
      await openSupportAgentTab(running(), page, await createSupportAgent(client));
      await askQuestion(page, SUPPORT_QUESTION);
      const source = page.getByRole('list', { name: 'Sources' }).getByRole('link', { name: /Drill manual/ });
      await source.click();
      await page.getByRole('option', { name: /lasts two years/, selected: true }).waitFor();
      await page.goBack();
      await source.waitFor();
      await page.locator('.turn-bubble').getByText(SUPPORT_QUESTION).waitFor();
      await page.locator('.turn-answer .markdown').getByText('lasts two years').waitFor();
    });

    it('the test chat continues the first answer of a conversation when the user goes back while it is generated', async () => {
      const model = await connectPausableModel(running());
      const { page, client } = await running().open('agents');
      await openSupportAgentTab(running(), page, await createSupportAgent(client));
      const question = `${SUPPORT_QUESTION} ${PAUSE_MARKER}`;
      await askQuestion(page, question);
      const answer = page.locator('.turn-answer .markdown');
      await answer.getByText(/^Granite?$/).waitFor();
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
      await page.goBack();
      await answer.getByText(/^Granite?$/).waitFor();
      await page.locator('.turn-bubble').getByText(question).waitFor();
      model.resumeAnswers();
      await answer.getByText('Granite cools slowly.').waitFor();
      await page.reload();
      await page.locator('.turn-bubble').getByText(question).waitFor();
      await answer.getByText('Granite cools slowly.').waitFor();
    });

    it('if a user opens another screen while the test chat generates an answer, this screen stays open', async () => {
      const { page, client } = await running().open('agents');
      await openSupportAgentTab(running(), page, await createSupportAgent(client));
      await askQuestion(page, SUPPORT_QUESTION);
      await page.getByRole('list', { name: 'Sources' }).waitFor();
      const asked = Promise.withResolvers<undefined>();
      await page.route('**/api/agents/*/query', () => {
        asked.resolve(undefined);
      });
      await askQuestion(page, SUPPORT_QUESTION);
      await asked.promise;
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('table').waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/keys');
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    });
  });

  describe('the prompts and the settings of an agent', () => {
    it('the prompts tab of an agent shows the operator a link to the models screen until a model is connected', async () => {
      const { operator } = running();
      const agent = await createSupportAgent(operator);
      onTestFinished(async () => {
        await operator.deleteModelConnection('custom').catch(() => undefined); // it is connected at the end only
        await operator.deleteAgent(agent.id);
        for (const id of agent.datastoreIds) await operator.deleteDatastore(id);
      });
      const { page } = await running().open('agents', { isOperator: true });
      await openSupportAgentTab(running(), page, agent, 'settings');
      const notice = page.getByRole('status').filter({ hasText: 'No model is connected' });
      await notice.waitFor();
      await auditScreenInEachAppearance(page, 'agent-settings-no-model');
      await page.getByRole('tab', { name: 'Prompts' }).click();
      await page.getByLabel('System prompt').waitFor();
      await notice.waitFor();
      await auditScreenInEachAppearance(page, 'agent-prompts-no-model');
      await notice.getByRole('link', { name: 'Connect a model' }).click();
      await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
      const model = await startFakeModel();
      onTestFinished(async () => model.stop());
      await operator.setModelConnection('custom', { baseUrl: model.url, model: 'fake', apiKey: null });
      await openSupportAgentTab(running(), page, agent, 'prompts');
      await page.getByLabel('System prompt').waitFor();
      await notice.waitFor({ state: 'detached' });
    });

    it('the prompts tab of an agent explains that the last answer was written without a model', async () => {
      const { page, client } = await running().open('agents', { width: 390, height: 844 });
      const agent = await createSupportAgent(client);
      await client.queryAgent(agent.id, { query: SUPPORT_QUESTION });
      await openSupportAgentTab(running(), page, agent, 'prompts');
      await page.getByText('The last answer of this agent was written without a model').waitFor();
      await auditScreenInEachAppearance(page, 'agent-prompts-no-model-narrow');
    });
  });
}
