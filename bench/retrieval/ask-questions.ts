import type { QuarryClient } from '@quarry/client';
import type { EvaluationSet } from './evaluation-set.js';

/** How often an answer in sentences of the sources holds the string that is known to be right. */
export interface Containment {
  readonly asked: number;
  readonly contained: number;
  /** Characters of an answer in the mean. */
  readonly length: number;
}

/** @returns undefined for a set without such strings */
export async function askQuestions(
  client: QuarryClient,
  datastoreId: string,
  { name, queries }: EvaluationSet,
): Promise<Containment | undefined> {
  const asked = queries.filter(({ answers }) => answers.length > 0);
  if (asked.length === 0) return undefined;
  const agent = await client.createAgent({ name, datastoreIds: [datastoreId] });
  let contained = 0;
  let length = 0;
  for (const { text, answers } of asked) {
    const { answer } = await client.queryAgent(agent.id, { query: text });
    if (answers.some((gold) => plain(answer).includes(plain(gold)))) contained += 1;
    length += answer.length;
  }
  return { asked: asked.length, contained, length: length / asked.length };
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
