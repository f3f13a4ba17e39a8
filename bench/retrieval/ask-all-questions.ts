import type { QuarryClient } from '@quarry/client';
import { containsRightAnswer } from './measure-contained-answers.js';
import type { SetQuery } from './evaluation-set.js';

export interface AskedQuestion {
  readonly abstained: boolean;
  readonly isRight: boolean;
}

/** Asks the questions one after the other. An answer without a cited source counts as an abstention. */
export async function askAllQuestions(
  client: QuarryClient,
  agentId: string,
  queries: readonly SetQuery[],
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const { text, answers } of queries) {
    const { answer, sources } = await client.queryAgent(agentId, { query: text });
    asked.push({ abstained: !sources.some(({ cited }) => cited), isRight: containsRightAnswer(answer, answers) });
  }
  return asked;
}

export function countAbstentions(asked: readonly AskedQuestion[]): number {
  return asked.filter(({ abstained }) => abstained).length;
}

export function countRightAnswers(asked: readonly AskedQuestion[]): number {
  return asked.filter(({ isRight }) => isRight).length;
}

export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
