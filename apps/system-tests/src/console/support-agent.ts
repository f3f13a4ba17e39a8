import type { Agent, QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { addTexts } from './add-texts.js';

const TEXT = 'Warranty. The warranty of the drill lasts two years. It covers the motor and the battery.';
/** Question that the text in the datastore of the agent `Support` answers. */
export const SUPPORT_QUESTION = 'How long does the warranty of the drill last?';

/** Creates the agent `Support` with a datastore that contains one text. */
export async function createSupportAgent(client: QuarryClient): Promise<Agent> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  await addTexts(client, id, [{ name: 'Drill manual', text: TEXT }]);
  return client.createAgent({ name: 'Support', description: 'Answers customers', datastoreIds: [id] });
}

/** Asks a question in the test chat of the open agent. */
export async function askQuestion(page: Page, question: string): Promise<void> {
  await page.getByLabel('Ask a question').fill(question);
  await page.keyboard.press('Enter');
}
