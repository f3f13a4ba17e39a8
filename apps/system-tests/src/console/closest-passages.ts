import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';
import { askQuestion } from './support-agent.js';

/** Question that no sentence of the texts of `addHistory` answers. */
const QUESTION = 'What is the history of word processors?';

/** Adds five texts about word processors. */
async function addHistory(client: QuarryClient, datastoreId: string): Promise<void> {
  const documents = [1, 2, 3, 4, 5].map((chapter) => ({
    name: `Chapter ${chapter}`,
    text: `# ${chapter} The Evolution of the Word Processor\n\nOffices changed slowly. Typists used **magnetic** tapes from 1964, then \`screens\`. Personal computers replaced them in the eighties.`,
  }));
  await addTexts(client, datastoreId, documents);
}

/** Tests an answer without a model for which no sentence of the sources answers the question. */
export function testClosestPassages(running: () => ConsoleUnderTest): void {
  describe('an answer without a sentence from its sources', () => {
    it('the test chat shows the three closest passages as plain text, and the others folded', async () => {
      const { page, client, datastoreId } = await openNewDatastore(running(), { fill: addHistory });
      await client.createAgent({ name: 'Support', datastoreIds: [datastoreId] });
      await page.getByRole('link', { name: 'Agents' }).click();
      await page.getByRole('link', { name: 'Support' }).click();
      await askQuestion(page, QUESTION);
      await page.getByText('Unanswered').waitFor();
      await page.getByRole('heading', { name: 'The closest passages' }).waitFor();
      const passages = page.getByRole('list', { name: 'The closest passages' }).getByRole('link');
      expect(await passages.count()).toBe(3);
      const [first = ''] = await passages.allInnerTexts();
      expect(first).toContain('Typists used magnetic tapes from 1964, then screens.');
      expect(first).not.toMatch(/[#*`]/);
      await page.getByText('2 further passages were read and not cited').waitFor();
      await auditScreenInEachAppearance(page, 'chat-closest-passages');
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await auditScreenInEachAppearance(page, 'chat-closest-passages-narrow');
    });

    it('the first steps screen and the stored conversation show the closest passages', async () => {
      const { page } = await openNewDatastore(running(), { fill: addHistory });
      await page.getByRole('link', { name: 'Ask this datastore' }).click();
      await page.getByRole('textbox', { name: 'Question' }).fill(QUESTION);
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { name: 'The closest passages' });
      await heading.waitFor();
      await auditScreenInEachAppearance(page, 'first-run-closest-passages');
      await page.getByRole('link', { name: 'This conversation' }).click();
      await page.getByRole('button', { name: 'Delete conversation' }).waitFor();
      await heading.waitFor();
    });
  });
}
