import type { HistoryMessage } from '@quarry/contracts';

/** A text to search with, and its say among the others. */
export interface SearchText {
  readonly text: string;
  readonly weight: number;
}

const IN_CONTEXT_WEIGHT = 0.5;
const MAX_CONTEXT_LENGTH = 400;

/**
 * What to search for a question in a conversation: the question, and, with less weight, the question behind the one before
 * it. "And in Spain?" finds nothing by itself; a question that stands alone is not led far away by its predecessor.
 */
export function searchTexts(query: string, history: readonly HistoryMessage[]): SearchText[] {
  const alone = { text: query, weight: 1 };
  const previous = history.findLast(({ role, text }) => role === 'user' && text.trim() !== '');
  if (previous === undefined) return [alone];
  const inContext = `${previous.text.slice(0, MAX_CONTEXT_LENGTH)}\n${query}`;
  return [alone, { text: inContext, weight: IN_CONTEXT_WEIGHT }];
}
