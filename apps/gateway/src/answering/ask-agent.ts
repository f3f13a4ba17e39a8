import type { Log } from '@quarry/service-kit';
import {
  type AgentQueryRequest,
  type AnswerEvent,
  type AnswerRequest,
  type HistoryMessage,
  MAX_ANSWER_TOKENS,
} from '@quarry/contracts';
import { openTurn, type Turn } from '../conversations/turn.js';
import { buildSearchScope, type SearchTarget } from '../searching/search-target.js';
import type { Gateway } from '../gateway.js';
import { withReservation } from '../usage/query-reservations.js';
import { type Agent, pickGenerationSettings } from '../agents/agent-repository.js';
import type { StoredGenerationSettings } from '../database/tables/agents.js';

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

/** Builds the request to the query service: the agent's settings, overridden by those of the request. */
function buildAnswerRequest(
  agent: Agent,
  datastores: readonly SearchTarget[],
  request: AgentQueryRequest,
  history: readonly HistoryMessage[],
): AnswerRequest {
  return {
    ...buildSearchScope(agent.organizationId, datastores, request.filters),
    query: request.query,
    history,
    generation: limitMaxTokens({ ...agent.generationSettings, ...pickGenerationSettings(request) }),
    restrictToKnowledge: agent.restrictToKnowledge,
    citationMarks: agent.citationMarks,
    ...choosePrompts(agent, request),
  };
}

/** Reduces `maxTokens` to the maximum. Earlier versions stored larger values. */
function limitMaxTokens(settings: StoredGenerationSettings): StoredGenerationSettings {
  const { maxTokens } = settings;
  return maxTokens === undefined ? settings : { ...settings, maxTokens: Math.min(maxTokens, MAX_ANSWER_TOKENS) };
}

type Prompts = Pick<AnswerRequest, 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'>;

/**
 * Returns the prompts. The request's fields override the agent's, including the deprecated ones: `promptTemplate` is an older
 * name of `userPrompt`.
 */
function choosePrompts(agent: Agent, request: AgentQueryRequest): Prompts {
  const promptType = request.promptType ?? undefined;
  const promptTemplate = textOrUndefined(request.promptTemplate);
  const systemPrompt =
    textOrUndefined(request.systemPrompt) ??
    (promptType === undefined ? textOrUndefined(agent.systemPrompt) : undefined);
  const userPrompt =
    textOrUndefined(request.userPrompt) ??
    (promptTemplate === undefined ? textOrUndefined(agent.userPrompt) : undefined);
  return {
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
    ...(promptType === undefined ? {} : { promptType }),
    ...(promptTemplate === undefined ? {} : { promptTemplate }),
  };
}

/** Returns undefined for a blank prompt or null, which some clients send for unset fields. */
function textOrUndefined(prompt: string | null | undefined): string | undefined {
  return prompt === undefined || prompt === null || prompt.trim() === '' ? undefined : prompt;
}
