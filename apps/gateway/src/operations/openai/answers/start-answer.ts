import type { AgentQueryRequest, AnswerEvent, AnswerRequest, QueryFilters } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { Caller } from '../../../access/caller.js';
import type { AgentWithDatastores } from '../../../agents/agent-with-datastores.js';
import { askAgent, buildAnswerRequest, type SourceLimits } from '../../../answering/ask-agent.js';
import { MAX_HISTORY_MESSAGES, type Turn, type UnstoredTurn } from '../../../conversations/turn.js';
import { newId } from '../../../database/id.js';
import type { StoredGenerationSettings } from '../../../database/tables/agents.js';
import { recordDatastoreUse } from '../../../datastores/datastore-expiry.js';
import type { Gateway } from '../../../gateway.js';
import { buildSearchScope, type SearchTarget } from '../../../searching/search-target.js';
import { withQueryReservation } from '../../../usage/with-query-reservation.js';
import type { ClientPrompt } from './messages.js';
import type { ChatTarget } from './resolve-model.js';

/** The datastores to search for sources, and the limits of the search. */
export interface ClientSearch {
  readonly datastores: readonly SearchTarget[];
  readonly filters: QueryFilters | undefined;
  readonly limits: SourceLimits;
}

/** A question of a client of OpenAI's API. */
export interface ClientQuestion {
  readonly target: ChatTarget;
  readonly prompt: ClientPrompt;
  readonly generation: StoredGenerationSettings;
  /** The search that the client selects. Absent: an agent searches its own datastores, and a configured model none. */
  readonly search?: ClientSearch | undefined;
  /** The id of the conversation to continue. Absent: the question begins a new conversation. */
  readonly conversationId?: string | undefined;
  readonly visitorId: string | undefined;
  /** False: neither the question nor its answer is stored. Questions to a configured model are never stored. */
  readonly isStored: boolean;
  /**
   * The parameters of `POST /v1/responses` that are stored with the answer. Absent: the question comes from a different
   * operation.
   */
  readonly response?: Turn['response'];
}

/** The request in which a client asks a question. */
export interface QuestionCall {
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
 * Counts a question against the monthly limit, and starts its answer. The instructions of the client replace the system
 * prompt of the agent, as `systemPrompt` of Quarry's API does.
 *
 * @throws the problems of `askAgent`
 */
export async function startAnswer(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService' | 'storedConnections'>,
  question: ClientQuestion,
  call: QuestionCall,
): Promise<StartedAnswer> {
  const { target } = question;
  return target.kind === 'agent'
    ? askTargetAgent(gateway, { ...question, target }, call)
    : askConfiguredModel(gateway, { ...question, target }, call);
}

type QuestionTo<Kind extends ChatTarget['kind']> = ClientQuestion & {
  readonly target: Extract<ChatTarget, { readonly kind: Kind }>;
};

async function askTargetAgent(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService' | 'storedConnections'>,
  question: QuestionTo<'agent'>,
  { client, signal, log }: QuestionCall,
): Promise<StartedAnswer> {
  const { search, isStored, response } = question;
  const { agent } = question.target;
  if (search === undefined) await recordDatastoreUse(gateway.db, agent.datastores);
  const { turn, events } = await askAgent(gateway, {
    agentKey: agent,
    agent: replaceAgentDatastores(agent, search),
    request: buildAgentQuery(question),
    history: question.prompt.history,
    ...(search && { sourceLimits: search.limits }),
    client,
    signal,
    log,
  });
  if (!isStored) return { turn: { ...turn, isStored: false }, events };
  return { turn: response === undefined ? turn : { ...turn, response }, events };
}

/** Builds the request with which an agent is asked a question. */
function buildAgentQuery({
  search,
  conversationId,
  visitorId,
  generation,
  prompt: { query, systemPrompt },
}: ClientQuestion): AgentQueryRequest {
  return {
    ...generation,
    query,
    ...(search?.filters === undefined ? {} : { filters: search.filters }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(visitorId === undefined ? {} : { visitorId }),
  };
}

/** Returns the agent with the datastores of `search` instead of its own datastores, if `search` is present. */
function replaceAgentDatastores(agent: AgentWithDatastores, search: ClientSearch | undefined): AgentWithDatastores {
  return search === undefined ? agent : { ...agent, datastores: search.datastores };
}

/**
 * Asks a configured model without an agent. The model answers from the messages of the client, and from the datastores
 * that the client selects.
 */
async function askConfiguredModel(
  { db, clock, queryService }: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  question: QuestionTo<'model'>,
  { caller: { organizationId }, client, signal, log }: QuestionCall,
): Promise<StartedAnswer> {
  const askedAt = clock();
  const { visitorId } = question;
  const request = buildModelRequest(question, organizationId);
  const reservation = { organizationId, kind: 'agentQueries', askedAt } as const;
  const events = await withQueryReservation({ db }, { reservation, client, log }, async () =>
    queryService.answer(request, signal),
  );
  const ids = { conversationId: newId(), visitorId: visitorId ?? newId(), messageId: newId() };
  return { turn: { organizationId, askedAt, ...ids, isStored: false }, events };
}

/** Builds the request to the query service for a question to a configured model. */
function buildModelRequest(
  { target: { name }, prompt: { query, history, systemPrompt }, search, generation }: QuestionTo<'model'>,
  organizationId: string,
): AnswerRequest {
  return {
    ...buildSearchScope(organizationId, search?.datastores ?? [], search?.filters),
    ...search?.limits,
    query,
    history,
    generation: { ...generation, ...(name === undefined ? {} : { modelName: name }) },
    restrictToKnowledge: false,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(systemPrompt === undefined && search === undefined ? { promptType: 'raw' as const } : {}),
  };
}

/** Builds the request that `startAnswer` sends to the query service for a question. */
export function buildQuestionRequest(question: ClientQuestion, organizationId: string): AnswerRequest {
  const { target, search, prompt } = question;
  if (target.kind === 'model') return buildModelRequest({ ...question, target }, organizationId);
  const agent = replaceAgentDatastores(target.agent, search);
  const history = prompt.history.slice(-MAX_HISTORY_MESSAGES);
  return { ...buildAnswerRequest(agent, buildAgentQuery(question), history), ...search?.limits };
}
