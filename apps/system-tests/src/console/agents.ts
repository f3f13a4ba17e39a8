import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance, expectNoAccessibilityViolation } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { askQuestion, createSupportAgent, SUPPORT_QUESTION } from './support-agent.js';

const GAP = 'Who repairs the espresso machine?';
const ANSWER = 'The espresso machine is repaired by the workshop in Graz. Who repairs it is stated on its invoice.';

async function openSupportAgent(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Support' }).click();
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor();
}

/** Tests the screens of agents and conversations. */
export function testAgents(running: () => ConsoleUnderTest): void {
  describe('the agents screens', () => {
    it('the form for a new agent offers all 70 datastores, and renders at most 60 of their rows', async () => {
      const { page } = await running().open('playground', {
        prepare: async (tenant) => {
          const { id } = await tenant.createDatastore({ name: 'The oldest' });
          for (let at = 1; at < 70; at += 1) await tenant.createDatastore({ name: `Manuals ${at}` });
          await tenant.createAgent({ name: 'Support', datastoreIds: [id] });
        },
      });
      await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Agents' }).click();
      await page.getByRole('row').filter({ hasText: 'Support' }).getByText('The oldest').waitFor();
      await page.getByRole('button', { name: 'New agent' }).click();
      const choices = page.getByRole('dialog').getByRole('region', { name: 'Datastores' });
      await choices.getByLabel('Manuals 69').waitFor();
      expect(await choices.getByRole('listitem').count()).toBeLessThanOrEqual(60);
      await auditScreenInEachAppearance(page, 'agents-many-datastores');
      await choices.press('End');
      await choices.getByLabel('The oldest').check();
      await expectNoAccessibilityViolation(page);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').locator('summary', { hasText: 'Datastores' }).click();
      await choices.getByLabel('Manuals 69').waitFor();
      expect(await choices.getByRole('listitem').count()).toBeLessThanOrEqual(60);
      await auditScreenInEachAppearance(page, 'keys-many-datastores');
    });

    it('a user creates an agent, changes it and deletes it', async () => {
      const { page, client } = await running().open('agents', {
        prepare: async (tenant) => tenant.createDatastore({ name: 'Manuals' }),
      });
      await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
      await auditScreenInEachAppearance(page, 'agents-empty');
      await page.getByRole('button', { name: 'New agent' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Support');
      await dialog.getByLabel('Manuals').check();
      await auditScreenInEachAppearance(page, 'agents-new');
      await dialog.getByRole('button', { name: 'New agent' }).click();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByLabel('Temperature').fill('0,2');
      await page.getByLabel('Answer from the datastores only').uncheck();
      await auditScreenInEachAppearance(page, 'agent-settings');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('“Support” was saved.').waitFor();
      expect((await client.listAgents()).items).toMatchObject([
        { name: 'Support', temperature: 0.2, restrictToKnowledge: false, citationMarks: true },
      ]);
      await page.getByLabel('Temperature').fill('9');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByLabel('Temperature').and(page.locator('[aria-invalid=true]')).waitFor();
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Agents' }).click();
      await page.getByRole('button', { name: 'Actions for Support' }).click();
      await auditScreenInEachAppearance(page, 'agents');
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click();
      await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
      expect((await client.listAgents()).items).toEqual([]);
    });

    it('the screen of an agent shows the prompts, and that no prompt is sent while no model is connected', async () => {
      const { page, client } = await running().open('agents', { prepare: createSupportAgent });
      await openSupportAgent(page);
      await page.getByRole('tab', { name: 'Prompts' }).click();
      await page.getByLabel('System prompt').fill('Answer in one sentence.');
      await page.getByLabel('Example question').fill(SUPPORT_QUESTION);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Nothing is sent: no model is connected.').waitFor();
      await auditScreenInEachAppearance(page, 'agent-prompts');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('“Support” was saved.').waitFor();
      expect((await client.listAgents()).items).toMatchObject([{ systemPrompt: 'Answer in one sentence.' }]);
    });

    it('the screen of an agent shows the addresses at which other programs use the agent', async () => {
      const { page, apiKey } = await running().open('agents', { prepare: createSupportAgent });
      await openSupportAgent(page);
      await page.getByRole('tab', { name: 'Connect' }).click();
      await page.getByRole('heading', { name: 'Assistants and editors (MCP)' }).waitFor();
      await auditScreenInEachAppearance(page, 'agent-connect');
      const readCode = async (name: string) => page.getByRole('region', { name, exact: true }).innerText();
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const models = await fetch(`${await readCode('Base address')}/models`, { headers });
      expect(await models.text()).toContain(`"${await readCode('Model')}"`);
      const tools = await fetch(await readCode('Address'), {
        method: 'POST',
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
      expect(await tools.text()).toContain('"ask"');
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });

    it('the test chat links an answer to the cited passage, and the list of conversations shows the feedback on the answer', async () => {
      const { page, client } = await running().open('agents', { prepare: createSupportAgent });
      await openSupportAgent(page);
      await auditScreenInEachAppearance(page, 'agent-chat-empty');
      await askQuestion(page, SUPPORT_QUESTION);
      const source = page.getByRole('list', { name: 'Sources' }).getByRole('link', { name: /Drill manual/ });
      await source.waitFor();
      await page.getByText('lasts two years').first().waitFor();
      await page.getByText('Sentences from the sources').waitFor();
      await page.getByRole('button', { name: 'Not helpful' }).click();
      await page.getByLabel('It is incomplete').check();
      await page.getByLabel('Comment').fill('The battery is missing.');
      await auditScreenInEachAppearance(page, 'agent-chat');
      await page.getByRole('button', { name: 'Send feedback' }).click();
      await page.getByRole('button', { name: 'Send feedback' }).waitFor({ state: 'detached' });
      const [conversation] = (await client.listConversations({ feedback: 'down' })).items;
      expect(conversation).toMatchObject({ turns: 1, feedback: { up: 0, down: 1 } });
      await page.reload();
      await page.getByText('lasts two years').first().waitFor();
      const link = await source.getAttribute('href');
      expect(link).toMatch(/\/datasources\/[^/]+\/documents\/[^/?]+\?fragment=[\w-]+$/);
      await page.getByRole('link', { name: 'Conversations' }).first().click();
      await page.getByLabel('Feedback').selectOption({ label: 'Not helpful' });
      await page.getByRole('link', { name: SUPPORT_QUESTION }).waitFor();
      await auditScreenInEachAppearance(page, 'conversations');
      await page.getByRole('link', { name: SUPPORT_QUESTION }).click();
      await page.getByText('The battery is missing.').waitFor();
      await auditScreenInEachAppearance(page, 'conversation');
      await page.getByRole('button', { name: 'Delete conversation' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
      await page.getByRole('heading', { name: /No conversation/ }).waitFor();
      expect((await client.listConversations()).items).toEqual([]);
    });

    it('the test chat resumes an answer whose stream was cut off, and shows that the answer was resumed', async () => {
      const { page } = await running().open('agents', { prepare: createSupportAgent });
      await openSupportAgent(page);
      // The page receives the beginning of the stream only, as if the connection had broken.
      await page.route('**/api/agents/*/query', async (route) => {
        const response = await route.fetch();
        const body = await response.text();
        await route.fulfill({ response, body: body.slice(0, body.indexOf('\n\n') + 2) });
      });
      await askQuestion(page, SUPPORT_QUESTION);
      await page.getByText('The answer was cut off. It was resumed where it stopped.').waitFor();
      await page.getByRole('list', { name: 'Sources' }).waitFor();
      expect(await page.locator('.turn-answer .markdown').innerText()).toContain('lasts two years.');
      await auditScreenInEachAppearance(page, 'agent-chat-resumed');
    });

    it('the test chat explains why the stream of an answer failed, and asks the question again on request', async () => {
      const { page } = await running().open('agents', { prepare: createSupportAgent });
      await openSupportAgent(page);
      await page.route('**/api/agents/*/query', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: 'data: [ERROR] model_unavailable: The model did not respond.\n\n' });
        await page.unroute('**/api/agents/*/query');
      });
      await askQuestion(page, SUPPORT_QUESTION);
      await page.getByText('The provider of the model is busy or unavailable.').waitFor();
      await auditScreenInEachAppearance(page, 'agent-chat-failed');
      await page.getByRole('button', { name: 'Ask again' }).click();
      await page.getByRole('list', { name: 'Sources' }).waitFor();
    });

    it('a user adds an answer to an unanswered question, and the agent gives it when the question is asked again', async () => {
      const { page, client } = await running().open('agents', { prepare: createSupportAgent });
      const [agent] = (await client.listAgents()).items;
      await client.queryAgent(agent?.id ?? '', { query: SUPPORT_QUESTION });
      await client.queryAgent(agent?.id ?? '', { query: GAP });
      await client.queryAgent(agent?.id ?? '', { query: SUPPORT_QUESTION });
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Conversations' }).click();
      await page.getByRole('cell', { name: 'Answered', exact: true }).first().waitFor();
      expect(await page.getByRole('row').nth(1).innerText()).toContain(GAP);
      await auditScreenInEachAppearance(page, 'conversations-unanswered');
      await page.getByRole('link', { name: GAP }).click();
      await page.getByRole('button', { name: 'Add the answer' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Answer', { exact: true }).fill(ANSWER);
      await auditScreenInEachAppearance(page, 'add-answer');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByRole('button', { name: 'Ask again' }).click();
      await dialog.getByText('the workshop in Graz').first().waitFor();
      await dialog.getByRole('list', { name: 'Sources' }).waitFor();
      await auditScreenInEachAppearance(page, 'add-answer-asked');
      expect((await client.listDatasources()).items).toHaveLength(2);
    });

    it('the test chat shows markup in documents and answers as text', async () => {
      const text = 'The gadget <img src=x onerror="document.title=1"> lasts [two](javascript:alert(1)) years.';
      const { page } = await running().open('agents', {
        prepare: async (client) => {
          const { id } = await client.createDatastore({ name: 'Manuals' });
          await addTexts(client, id, [{ name: '<b>Gadget</b>', text }]);
          await client.createAgent({ name: 'Support', datastoreIds: [id] });
        },
      });
      await openSupportAgent(page);
      await askQuestion(page, 'How long does the gadget last?');
      await page.getByRole('list', { name: 'Sources' }).getByText('<b>Gadget</b>').waitFor();
      await page.locator('.turn-answer .markdown').getByText('<img src=x').waitFor();
      expect(await page.locator('.turn-answer img, .turn-answer a[href^=javascript]').count()).toBe(0);
      expect(await page.title()).toBe('Support · Quarry');
    });
  });
}
