import type { AgentQueryResponse } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { recordTurn } from '../conversations/record-turn.js';
import type { Turn } from '../conversations/turn.js';
import type { Gateway } from '../gateway.js';
import { answerSources } from './answer-sources.js';
import { giveBackQuery } from '../usage/query-reservations.js';
import type { Outcome } from './follow-answer.js';

/**
 * Writes the turn down, before the client hears of the end: it may ask again in the same conversation at once.
 *
 * @returns the response, or why there is none
 */
export async function finishAnswer(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  turn: Turn,
  outcome: Outcome,
): Promise<AgentQueryResponse | Problem> {
  if (outcome.state !== 'complete') {
    const { state, text, problem } = outcome;
    await recordTurn(db, turn, { state, text, sources: [], usage: null, answeredBy: null }, clock());
    if (cameToNothing(outcome)) await giveBackQuery(db, { ...turn, kind: 'agentQueries' });
    return problem;
  }
  const { state, text, usage, answeredBy, notes } = outcome;
  const sources = await answerSources(db, turn.organizationId, outcome.fragments);
  await recordTurn(db, turn, { state, text, sources, usage, answeredBy }, clock());
  const { messageId, conversationId, visitorId } = turn;
  return { answer: text, conversationId, visitorId, sources, messageId, usage, answeredBy, notes };
}

/** Nothing was said, and not because the client left: who leaves early has had the work done all the same. */
function cameToNothing({ state, text, problem }: Exclude<Outcome, { readonly state: 'complete' }>): boolean {
  return text === '' && (state === 'failed' || problem.code === 'service_stopping');
}
