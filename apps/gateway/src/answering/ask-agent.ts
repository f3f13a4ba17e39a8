import type { Log } from '@quarry/service-kit';
import {
  type AgentQueryRequest,
  type AnswerEvent,
  type AnswerRequest,
  type HistoryMessage,
  MAX_ANSWER_TOKENS,
} from '@quarry/contracts';
import { HISTORY_MESSAGES, openTurn, type Turn } from '../conversations/turn.js';
import { buildSearchScope, type SearchTarget } from '../searching/search-target.js';
import type { Gateway } from '../gateway.js';
import { withReservation } from '../usage/query-reservations.js';
import { type Agent, pickGenerationSettings } from '../agents/agent-repository.js';
import type { StoredGenerationSettings } from '../database/tables/agents.js';

/** Contains a question to an agent, the datastores to search, and the client that waits for the answer. */
export interface Question {
  readonly agent: Agent;
  readonly datastores: readonly SearchTarget[];
  readonly request: AgentQueryRequest;
  readonly client: { hasDisconnected(): boolean };
  /** Earlier messages that the client sends, oldest first. Absent: those of the conversation. */
  readonly history?: readonly HistoryMessage[];
  readonly sourceLimits?: SourceLimits;
  readonly signal: AbortSignal;
  /** The log of the request. */
  readonly log: Log;
}

/** Limits the sources of an answer. */
export type SourceLimits = Pick<AnswerRequest, 'maxSources' | 'minScore'>;

/**
 * Counts a question against the monthly limit, assigns its position in the conversation, and starts its answer.
 *
 * @returns the position, and the events of the answer as the query service emits them
 * @throws Problem 402 above the monthly limit, 404 for an unknown conversation, or as the query service refuses the question
 */
export async function askAgent(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService'>,
  { agent, datastores, request, client, signal, log, ...question }: Question,
): Promise<{ readonly turn: Turn; readonly events: AsyncIterable<AnswerEvent> }> {
  const { db, clock, queryService } = gateway;
  const { organizationId } = agent;
  const askedAt = clock();
  const reservation = { organizationId, kind: 'agentQueries', askedAt } as const;
  return withReservation(gateway, { reservation, client, log }, async () => {
    const { turn, history: stored } = await openTurn(db, agent, request, askedAt);
    const history = question.history?.slice(-HISTORY_MESSAGES) ?? stored;
    const answerRequest = { ...buildAnswerRequest(agent, datastores, request, history), ...question.sourceLimits };
    const events = await queryService.answer(answerRequest, signal);
    return { turn, events };
  });
}

/** Builds the request to the query service. Settings in the client's request override those of the agent. */
export function buildAnswerRequest(
  agent: Agent,
  datastores: readonly SearchTarget[],
  request: AgentQueryRequest,
  history: readonly HistoryMessage[],
): Pick<AnswerRequest, keyof AnswerRequest> {
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

/** Reduces `maxTokens` to the maximum of this version, because earlier versions stored larger values. */
function limitMaxTokens(settings: StoredGenerationSettings): StoredGenerationSettings {
  const { maxTokens } = settings;
  return maxTokens === undefined ? settings : { ...settings, maxTokens: Math.min(maxTokens, MAX_ANSWER_TOKENS) };
}

type Prompts = Pick<AnswerRequest, 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'>;

/**
 * Returns the prompts of an answer. `systemPrompt` or `promptType` of the request overrides the agent's system prompt.
 * `userPrompt` or its deprecated form `promptTemplate` overrides the agent's user prompt.
 */
function choosePrompts(agent: Agent, request: AgentQueryRequest): Prompts {
  const promptType = request.promptType ?? undefined;
  const promptTemplate = normalizePrompt(request.promptTemplate);
  const systemPrompt =
    normalizePrompt(request.systemPrompt) ??
    (promptType === undefined ? normalizePrompt(agent.systemPrompt) : undefined);
  const userPrompt =
    normalizePrompt(request.userPrompt) ??
    (promptTemplate === undefined ? normalizePrompt(agent.userPrompt) : undefined);
  return {
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
    ...(promptType === undefined ? {} : { promptType }),
    ...(promptTemplate === undefined ? {} : { promptTemplate }),
  };
}

/** Returns the prompt, or undefined if it is blank or null. Some clients send these values for unset fields. */
function normalizePrompt(prompt: string | null | undefined): string | undefined {
  return prompt === undefined || prompt === null || prompt.trim() === '' ? undefined : prompt;
}
