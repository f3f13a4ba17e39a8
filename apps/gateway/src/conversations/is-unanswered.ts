import type { AnswerSource, MessageState } from '@quarry/contracts';

/**
 * Returns true if an answer left its question unanswered: it failed, or it is complete and cites no source. An
 * interrupted answer does not count, because the visitor ended it.
 */
export function isUnanswered({
  state,
  sources,
}: {
  readonly state: MessageState;
  readonly sources: readonly Pick<AnswerSource, 'cited'>[];
}): boolean {
  return state === 'failed' || (state === 'complete' && !sources.some(({ cited }) => cited));
}
