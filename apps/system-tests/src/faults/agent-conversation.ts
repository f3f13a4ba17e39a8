import type { Customer } from './customer.js';
import { findRandomWords, type Random } from './random.js';
import type { CampaignContext } from './managed-content.js';
import { Violation } from './violation.js';

const TURNS = 15;

/**
 * Simulates a customer's conversation with an agent. Asks questions, and verifies that prompts contain no deleted text,
 * and that Quarry stores all messages.
 */
export class Conversation {
  #id: string | undefined;
  #questions: string[] = [];

  constructor(
    private readonly context: CampaignContext,
    private readonly agentId: string,
  ) {}

  /**
   * Asks a question that contains a word of a document, so that the document is found.
   *
   * @param about a word of the document
   * @throws Violation if the model's prompt contains text that was deleted before the question
   */
  async askQuestion(random: Random, about: string): Promise<void> {
    if (this.#questions.length >= TURNS) {
      this.#id = undefined;
      this.#questions = [];
    }
    const query = `Question ${random.createWord()}: what names ${about}?`;
    const wasRetired = this.context.retired.createRetiredCheck();
    const idempotencyKey = crypto.randomUUID();
    const conversationId = this.#id ?? null;
    const { conversationId: id } = await this.context.customer.sendQuery(query, async ({ quarry, signal }) =>
      quarry.queryAgent(this.agentId, { query, conversationId }, { idempotencyKey, signal }),
    );
    this.#id = id;
    this.#questions.push(query);
    for (const prompt of this.context.external.prompts.filter((text) => text.includes(query))) {
      const sources = removeQuestionsFromPrompt(prompt, this.#questions);
      const used = findRandomWords(sources).filter(wasRetired);
      if (used.length > 0) {
        throw new Violation(
          'resurrected',
          `expected no deleted text in a prompt, found ${used.join(', ')} in ${sources}`,
        );
      }
    }
  }

  /**
   * Verifies the stored messages.
   *
   * @throws Violation if the messages do not contain each answered question exactly once, with its answer
   */
  async verifyMessages(): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    const messages = await this.context.customer.sendRequest(
      'list messages',
      async ({ quarry, signal }) => (await quarry.listMessages(id, { limit: 100 }, { signal })).items,
    );
    for (const question of this.#questions) {
      const at = messages.flatMap(({ role, text, state }, index) =>
        role === 'user' && text === question && state === 'complete' ? [index] : [],
      );
      if (at.length !== 1) {
        const broken = at.length === 0 ? 'lost' : 'duplicated';
        throw new Violation(
          broken,
          `expected ${JSON.stringify(question)} once in its conversation, found it ${at.length} times`,
        );
      }
    }
    const answers = messages.filter(({ role, state }) => role === 'assistant' && state === 'complete').length;
    if (answers !== this.#questions.length) {
      throw new Violation(
        'miscounted',
        `expected ${this.#questions.length} answers in a conversation, found ${answers}`,
      );
    }
  }
}

/** Returns a prompt without the questions of the conversation. */
function removeQuestionsFromPrompt(prompt: string, questions: readonly string[]): string {
  return questions.reduce((rest, question) => rest.replaceAll(question, ''), prompt);
}

/**
 * Verifies the number of queries that Quarry has counted for the organization.
 *
 * @throws Violation if fewer queries are counted than were answered, or more than were attempted
 */
export async function verifyCountedQueries(customer: Customer): Promise<void> {
  const { queries } = await customer.sendRequest('usage', async ({ quarry, signal }) => quarry.getUsage({ signal }));
  const { answered, attempted } = customer.asked;
  if (queries.used < answered || queries.used > attempted) {
    throw new Violation('miscounted', `expected ${answered} to ${attempted} queries, found ${queries.used}`);
  }
}
