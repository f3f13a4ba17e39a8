import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const QUESTION = 'How long does the warranty of the drill last?';
const TURNS = 4;

/** Opens the test chat of an agent, and asks so many questions that the conversation is taller than the window. */
async function openLongChat(running: ConsoleUnderTest, size: { width: number; height: number }): Promise<Page> {
  const { page } = await running.open('agents', {
    ...size,
    prepare: async (client) => {
      const { id } = await client.createDatastore({ name: 'Manuals' });
      await addTexts(client, id, [{ name: 'Drill manual', text: 'The warranty of the drill lasts two years.' }]);
      await client.createAgent({ name: 'Support', datastoreIds: [id], citationMarks: true });
    },
  });
  await page.getByRole('link', { name: 'Support', exact: true }).click();
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await page.getByRole('textbox', { name: 'Ask a question' }).fill(QUESTION);
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: 'Not helpful' })
      .nth(turn - 1)
      .waitFor();
  }
  return page;
}

/** Waits until the bottom edge of an element is above the field for the next question. */
async function waitUntilAboveQuestionForm(page: Page, element: Locator): Promise<void> {
  const readGap = async (): Promise<number> => {
    const [box, composer] = await Promise.all([element.boundingBox(), page.locator('.question-form').boundingBox()]);
    return (composer?.y ?? 0) - ((box?.y ?? 0) + (box?.height ?? 0));
  };
  await expect.poll(readGap, { timeout: 10_000 }).toBeGreaterThanOrEqual(0);
}

/** Tests the feedback on the last answer of a long conversation. */
export function testChatFeedback(running: () => ConsoleUnderTest): void {
  describe('the feedback in a long conversation', () => {
    it.each([
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ])(
      'the feedback form stays visible above the field for the next question, and a thank-you follows it: width $width',
      async (size) => {
        const page = await openLongChat(running(), size);
        const thumb = page.getByRole('button', { name: 'Not helpful' }).last();
        await waitUntilAboveQuestionForm(page, thumb);
        await thumb.click();
        const send = page.getByRole('button', { name: 'Send feedback' });
        await waitUntilAboveQuestionForm(page, send);
        await page.locator('button[aria-pressed=true]').waitFor();
        const thanks = page.getByText('Thank you.');
        expect(await thanks.count()).toBe(0);
        await auditScreenInEachAppearance(page, `chat-feedback-${size.width}`);
        await page.getByLabel('It is incomplete').check();
        await send.click();
        await waitUntilAboveQuestionForm(page, thanks);
        expect(await page.locator('.toast').count()).toBe(0);
      },
    );
  });
}
