import type { HistoryMessage } from '@quarry/contracts';

/** Describes a text to search for, with its weight relative to the other texts. */
export interface SearchText {
  readonly text: string;
  readonly weight: number;
}

/** Describes a question as weighted texts to search for. */
export interface SearchQuestion {
  readonly texts: readonly SearchText[];
  /** The question as a single text, for a reranker. */
  readonly whole: string;
}

const SECOND_WEIGHT = 0.5;
const MAX_CONTEXT_LENGTH = 400;

/** Returns the search question for a query without a conversation. */
export function createQuestion(query: string): SearchQuestion {
  return { texts: [{ text: query, weight: 1 }], whole: query };
}

/**
 * Returns the search question for a query within a conversation. It adds the previous question together with this one at a lower
 * weight: "And in Spain?" finds nothing by itself, and a complete question still finds its own matches.
 */
export function createContextualQuestion(query: string, history: readonly HistoryMessage[]): SearchQuestion {
  const alone = createQuestion(query);
  const previous = history.findLast(({ role, text }) => role === 'user' && text.trim() !== '');
  if (previous === undefined) return alone;
  const whole = `${previous.text.slice(0, MAX_CONTEXT_LENGTH)}\n${query}`;
  return { texts: [...alone.texts, { text: whole, weight: SECOND_WEIGHT }], whole };
}

/**
 * Returns the search question for a rewritten query. It adds the original query at a lower weight, in case the rewriting lost
 * information.
 */
export function createRewrittenQuestion(rewritten: string, query: string): SearchQuestion {
  const original = rewritten === query ? [] : [{ text: query, weight: SECOND_WEIGHT }];
  return { texts: [{ text: rewritten, weight: 1 }, ...original], whole: rewritten };
}
