import type { AgentQueryResponse } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import { recordTurn } from '../conversations/record-turn.js';
import type { Turn } from '../conversations/turn.js';
import type { Gateway } from '../gateway.js';
import { buildAnswerSources } from './build-answer-sources.js';
import { releaseQuery } from '../usage/query-reservations.js';
import type { Outcome } from './follow-answer.js';

/**
 * Stores the turn before the client receives the end of the answer, because the client may continue the conversation at once.
 *
 * @param isStreamed true when the client has received the text so far; false when it receives no text of an answer that fails
 * @returns the response, or the problem of a failed answer
 */
export async function finishAnswer(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  turn: Turn,
  outcome: Outcome,
  isStreamed: boolean,
): Promise<AgentQueryResponse | Problem> {
  if (outcome.state !== 'complete') {
    const { state, text, problem } = outcome;
    if (shouldReleaseReservation(outcome, isStreamed)) await releaseQuery(db, { ...turn, kind: 'agentQueries' });
    await recordTurn(db, turn, { state, text, sources: [], usage: null, answeredBy: null }, clock());
    return problem;
  }
  const { state, text, usage, answeredBy, notes } = outcome;
  const sources = await buildAnswerSources(db, turn.organizationId, outcome.fragments);
  await recordTurn(db, turn, { state, text, sources, usage, answeredBy }, clock());
  const { messageId, conversationId, visitorId } = turn;
  return { answer: text, conversationId, visitorId, sources, messageId, usage, answeredBy, notes };
}

/**
 * Returns true when the client received no text through no fault of its own. A client that disconnects early is still charged for
 * the query.
 */
function shouldReleaseReservation(
  { state, text, problem }: Exclude<Outcome, { readonly state: 'complete' }>,
  isStreamed: boolean,
): boolean {
  const hasReceived = isStreamed && text.trim() !== '';
  return !hasReceived && (state === 'failed' || problem.code === 'service_stopping');
}
