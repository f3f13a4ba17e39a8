import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { Caller } from '../../access/caller.js';
import { askAgent } from '../../answering/ask-agent.js';
import type { Turn, UnstoredTurn } from '../../conversations/turn.js';
import { newId } from '../../database/id.js';
import type { StoredGenerationSettings } from '../../database/tables/agents.js';
import type { Gateway } from '../../gateway.js';
import { findSearchTargets } from '../../searching/search-target.js';
import { withReservation } from '../../usage/query-reservations.js';
import type { ClientPrompt } from './messages.js';
import type { ChatTarget } from './resolve-model.js';

/** A question of a client of OpenAI's API. */
export interface ClientQuestion {
  readonly target: ChatTarget;
  readonly prompt: ClientPrompt;
  readonly generation: StoredGenerationSettings;
  /** The conversation of an agent that continues. Its messages replace the history of the prompt. */
  readonly conversationId?: string | undefined;
  readonly visitorId: string | undefined;
  /** False: neither the question nor its answer is stored. A configured model never stores them. */
  readonly isStored: boolean;
}

interface QuestionCall {
  readonly caller: Caller;
  readonly client: { hasDisconnected(): boolean };
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** An answer that has started. */
export interface StartedAnswer {
  readonly turn: Turn | UnstoredTurn;
  readonly events: AsyncIterable<AnswerEvent>;
}

/**
 * Counts a question against the monthly limit, and starts its answer. The instructions of the client replace the system prompt of
 * the agent, as `systemPrompt` of Quarry's API does.
 *
 * @throws Problem as `askAgent`
 */
export async function startAnswer(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  question: ClientQuestion,
  call: QuestionCall,
): Promise<StartedAnswer> {
  const { target } = question;
  return target.kind === 'agent'
    ? askTargetAgent(gateway, { ...question, target }, call)
    : askModel(gateway, { ...question, target }, call);
}

type QuestionTo<Kind extends ChatTarget['kind']> = ClientQuestion & {
  readonly target: Extract<ChatTarget, { readonly kind: Kind }>;
};

async function askTargetAgent(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  { target: { agent }, prompt, generation, conversationId, visitorId, isStored }: QuestionTo<'agent'>,
  { client, signal, log }: QuestionCall,
): Promise<StartedAnswer> {
  const datastores = await findSearchTargets(gateway.db, agent.organizationId, agent.datastoreIds);
  const { query, systemPrompt, history } = prompt;
  const request = {
    ...generation,
    query,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(visitorId === undefined ? {} : { visitorId }),
  };
  signal.throwIfAborted();
  const earlier = conversationId === undefined ? { history } : {};
  const { turn, events } = await askAgent(gateway, { agent, datastores, request, client, signal, log, ...earlier });
  return { turn: isStored ? turn : { ...turn, isStored: false }, events };
}

/** Asks a configured model without an agent: it answers from the messages of the client alone. */
async function askModel(
  { db, clock, queryService }: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  { target, prompt: { query, history, systemPrompt }, generation, visitorId }: QuestionTo<'model'>,
  { caller: { organizationId }, client, signal, log }: QuestionCall,
): Promise<StartedAnswer> {
  const askedAt = clock();
  const { name } = target;
  const request: AnswerRequest = {
    organizationId,
    datastores: [],
    query,
    history,
    generation: { ...generation, ...(name === undefined ? {} : { modelName: name }) },
    restrictToKnowledge: false,
    ...(systemPrompt === undefined ? { promptType: 'raw' as const } : { systemPrompt }),
  };
  const reservation = { organizationId, kind: 'agentQueries', askedAt } as const;
  const events = await withReservation({ db }, { reservation, client, log }, async () =>
    queryService.answer(request, signal),
  );
  const ids = { conversationId: newId(), visitorId: visitorId ?? newId(), messageId: newId() };
  return { turn: { organizationId, askedAt, ...ids, isStored: false }, events };
}
