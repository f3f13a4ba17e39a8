import type { AgentQueryRequest, AnswerEvent } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { Agent } from '../agents/agent-repository.js';
import { openTurn } from '../conversations/open-turn.js';
import type { Turn } from '../conversations/turn.js';
import type { SearchTarget } from '../searching/search-target.js';
import type { Gateway } from '../gateway.js';
import { withReservation } from '../usage/with-reservation.js';
import { buildAnswerRequest } from './build-answer-request.js';

/** A question to an agent, and the request that contains it. */
export interface Question {
  readonly agent: Agent;
  readonly datastores: readonly SearchTarget[];
  readonly request: AgentQueryRequest;
  readonly client: { hasDisconnected(): boolean };
  readonly signal: AbortSignal;
  /** The log of the request. */
  readonly log: Log;
}

/** Counts a question, opens its turn in a conversation, and starts the answer. @throws Problem */
export async function askAgent(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  { agent, datastores, request, client, signal, log }: Question,
): Promise<{ readonly turn: Turn; readonly events: AsyncIterable<AnswerEvent> }> {
  const { db, clock, queryService } = gateway;
  const { organizationId } = agent;
  const askedAt = clock();
  const reservation = { organizationId, kind: 'agentQueries', askedAt } as const;
  return withReservation(gateway, { reservation, client, log }, async () => {
    const { turn, history } = await openTurn(db, agent, request, askedAt);
    const events = await queryService.answer(buildAnswerRequest(agent, datastores, request, history), signal);
    return { turn, events };
  });
}
