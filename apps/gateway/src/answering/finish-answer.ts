import type { AgentQueryResponse } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { recordTurn } from '../conversations/record-turn.js';
import type { Turn } from '../conversations/turn.js';
import type { Gateway } from '../gateway.js';
import { answerSources } from './answer-sources.js';
import { releaseQuery } from '../usage/query-reservations.js';
import type { Outcome } from './follow-answer.js';

/**
 * Writes the turn down, before the client hears of the end: it may ask again in the same conversation at once.
 *
 * @param isStreamed whether the client has received the text so far; otherwise it receives nothing of an answer that fails
 * @returns the response, or why there is none
 */
export async function finishAnswer(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  turn: Turn,
  outcome: Outcome,
  isStreamed: boolean,
): Promise<AgentQueryResponse | Problem> {
  if (outcome.state !== 'complete') {
    const { state, text, problem } = outcome;
    if (isWithoutText(outcome, isStreamed)) await releaseQuery(db, { ...turn, kind: 'agentQueries' });
    await recordTurn(db, turn, { state, text, sources: [], usage: null, answeredBy: null }, clock());
    return problem;
  }
  const { state, text, usage, answeredBy, notes } = outcome;
  const sources = await answerSources(db, turn.organizationId, outcome.fragments);
  await recordTurn(db, turn, { state, text, sources, usage, answeredBy }, clock());
  const { messageId, conversationId, visitorId } = turn;
  return { answer: text, conversationId, visitorId, sources, messageId, usage, answeredBy, notes };
}

/** The client receives no text, and not because it left: who leaves early has had the work done all the same. */
function isWithoutText(
  { state, text, problem }: Exclude<Outcome, { readonly state: 'complete' }>,
  isStreamed: boolean,
): boolean {
  const hasReceived = isStreamed && text.trim() !== '';
  return !hasReceived && (state === 'failed' || problem.code === 'service_stopping');
}
