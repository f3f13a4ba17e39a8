import { describe, expect, it } from 'vitest';
import type { ConsoleUnderTest } from './console-under-test.js';

/**
 * Number of questions of the conversation. With their answers, they are more than the 200 messages of one API response.
 */
const QUESTIONS = 101;
/** Number of agents that are newer than the agent of the conversation. One API response contains fewer agents. */
const NEWER_AGENTS = 201;

/** Tests that the screen of a conversation shows data that takes several requests to load. */
export function testLongConversation(running: () => ConsoleUnderTest): void {
  describe('a long conversation', () => {
    it('the screen of a conversation shows its last question and the name of its agent, however many messages and agents there are', async () => {
      const { page, client } = await running().open('conversations', {
        prepare: async (quarry) => {
          const { id } = await quarry.createAgent({ name: 'Oldest agent', datastoreIds: [] });
          let conversationId: string | undefined;
          for (let number = 1; number <= QUESTIONS; number += 1) {
            const answer = await quarry.queryAgent(id, {
              query: `Question ${number}`,
              ...(conversationId === undefined ? {} : { conversationId }),
            });
            ({ conversationId } = answer);
          }
          for (let at = 0; at < NEWER_AGENTS; at += 1)
            await quarry.createAgent({ name: `Agent ${at}`, datastoreIds: [] });
        },
      });
      const [conversation] = (await client.listConversations()).items;
      expect(conversation?.turns).toBe(QUESTIONS);
      await page.getByRole('row', { name: /Question 1 .*Oldest agent/ }).waitFor();
      await page.getByRole('link', { name: 'Question 1' }).click();
      await page.getByText(`Question ${QUESTIONS}`, { exact: true }).waitFor();
      expect(await page.getByText('Deleted agent').count()).toBe(0);
    });
  });
}
