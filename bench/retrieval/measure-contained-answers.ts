import type { QuarryClient } from '@quarry/client';
import type { EvaluationSet } from './evaluation-set.js';

/** The number of extractive answers that contain a known right answer, of all asked questions. */
export interface Containment {
  readonly asked: number;
  readonly contained: number;
  /** Mean length of an extractive answer in characters. */
  readonly length: number;
}

/** Asks an agent the questions of a set that have known answers. @returns undefined for a set without known answers */
export async function measureContainedAnswers(
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
    if (containsRightAnswer(answer, answers)) contained += 1;
    length += answer.length;
  }
  return { asked: asked.length, contained, length: length / asked.length };
}

/** Returns whether an answer contains one of the right strings, regardless of case and white space. */
export function containsRightAnswer(answer: string, right: readonly string[]): boolean {
  const text = normalizeText(answer);
  return right.some((gold) => text.includes(normalizeText(gold)));
}

function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
