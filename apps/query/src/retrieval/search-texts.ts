import type { HistoryMessage } from '@quarry/contracts';

/** A text to search with, and its say among the others. */
export interface SearchText {
  readonly text: string;
  readonly weight: number;
}

/** What is to be found. */
export interface SearchQuestion {
  readonly texts: readonly SearchText[];
  /** All of it in one text, for whoever reads only one. */
  readonly whole: string;
}

const SECOND_WEIGHT = 0.5;
const MAX_CONTEXT_LENGTH = 400;

/** A question that stands alone. */
export function questionAlone(query: string): SearchQuestion {
  return { texts: [{ text: query, weight: 1 }], whole: query };
}

/**
 * What to search for a question in a conversation: the question, and, with less weight, the question behind the one before
 * it. "And in Spain?" finds nothing by itself; a question that stands alone is not led far away by its predecessor.
 */
export function questionInContext(query: string, history: readonly HistoryMessage[]): SearchQuestion {
  const alone = questionAlone(query);
  const previous = history.findLast(({ role, text }) => role === 'user' && text.trim() !== '');
  if (previous === undefined) return alone;
  const whole = `${previous.text.slice(0, MAX_CONTEXT_LENGTH)}\n${query}`;
  return { texts: [...alone.texts, { text: whole, weight: SECOND_WEIGHT }], whole };
}

/** A question that was rewritten to stand alone; as it was asked as well, with less weight, should the rewriting have lost something. */
export function questionRewritten(rewritten: string, query: string): SearchQuestion {
  const asked = rewritten === query ? [] : [{ text: query, weight: SECOND_WEIGHT }];
  return { texts: [{ text: rewritten, weight: 1 }, ...asked], whole: rewritten };
}
