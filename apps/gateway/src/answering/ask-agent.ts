import type { Log } from '@quarry/service-kit';
import {
  type AgentQueryRequest,
  type AnswerEvent,
  type AnswerRequest,
  type HistoryMessage,
  MAX_ANSWER_TOKENS,
} from '@quarry/contracts';
import { MAX_HISTORY_MESSAGES, openTurn, type OpenTurn, type Turn } from '../conversations/turn.js';
import { buildSearchScope } from '../searching/search-target.js';
import type { Gateway } from '../gateway.js';
import { withQueryReservationAndResources } from '../usage/with-query-reservation.js';
import { pickGenerationSettings } from '../agents/agent-repository.js';
import type { AgentWithDatastores } from '../agents/agent-with-datastores.js';
import type { StoredGenerationSettings } from '../database/tables/agents.js';

/** Contains a question to an agent, and the state of the connection to the client that waits for the answer. */
export interface Question {
  /** Identifies an agent that the caller can access. */
  readonly agentKey: Pick<AgentWithDatastores, 'organizationId' | 'id'>;
  /** The agent with the datastores to search. A promise is awaited while the question is counted. */
  readonly agent: AgentWithDatastores | Promise<AgentWithDatastores>;
  readonly request: AgentQueryRequest;
  readonly client: { hasDisconnected(): boolean };
  /** Earlier messages that the client sends, oldest first. Absent: the stored messages of the conversation. */
  readonly history?: readonly HistoryMessage[];
  readonly sourceLimits?: SourceLimits;
  readonly signal: AbortSignal;
  /** The log of the request. */
  readonly log: Log;
}

/** The limits of the sources of an answer: their maximum number, and their minimum score. */
export type SourceLimits = Pick<AnswerRequest, 'maxSources' | 'minScore'>;

/**
 * Counts a question against the monthly limit, assigns it a position in the conversation, and waits until the agent is
 * loaded. Then requests the answer. The steps before the request run concurrently, so that the answer starts earlier.
 *
 * @returns the turn with the position, and the events of the answer as the query service emits them
 * @throws Problem 404 for an unknown agent or conversation, 402 above the monthly limit, or the problem with which the
 *   query service refuses the question
 */
export async function askAgent(
  gateway: Pick<Gateway, 'db' | 'clock' | 'queryService' | 'storedConnections'>,
  question: Question,
): Promise<{ readonly turn: Turn; readonly events: AsyncIterable<AnswerEvent> }> {
  const { clock, queryService } = gateway;
  const { agentKey, request, client, signal, log, sourceLimits } = question;
  const askedAt = clock();
  const reservation = { organizationId: agentKey.organizationId, kind: 'agentQueries', askedAt } as const;
  const loading = loadAgentAndTurn(gateway, question, askedAt);
  return withQueryReservationAndResources(
    gateway,
    { reservation, client, log, signal, loading },
    async ({ agent, opened }) => {
      const history = question.history?.slice(-MAX_HISTORY_MESSAGES) ?? opened.history;
      const answerRequest = { ...buildAnswerRequest(agent, request, history), ...sourceLimits };
      return { turn: opened.turn, events: await queryService.answer(answerRequest, signal) };
    },
  );
}

/**
 * Waits until the agent is loaded, and concurrently calls `openTurn`.
 *
 * @throws Problem 404 for an unknown agent, or else for an unknown conversation
 */
async function loadAgentAndTurn(
  { db, storedConnections }: Pick<Gateway, 'db' | 'storedConnections'>,
  { agentKey, agent, request }: Question,
  askedAt: Date,
): Promise<{ readonly agent: AgentWithDatastores; readonly opened: OpenTurn }> {
  const opening = openTurn(db, agentKey, request, askedAt);
  // Starts to load the model connections into their cache, because the request to the query service needs them. If the
  // loading fails, that request reports the error.
  storedConnections.read().catch(() => undefined);
  // If both promises reject, the error of `agent` is thrown, and this handler prevents an unhandled rejection of
  // `opening`.
  opening.catch(() => undefined);
  return { agent: await agent, opened: await opening };
}

/** Builds the request to the query service. Settings in the client's request override the settings of the agent. */
export function buildAnswerRequest(
  agent: AgentWithDatastores,
  request: AgentQueryRequest,
  history: readonly HistoryMessage[],
): Pick<AnswerRequest, keyof AnswerRequest> {
  return {
    ...buildSearchScope(agent.organizationId, agent.datastores, request.filters),
    query: request.query,
    history,
    generation: limitMaxTokens({ ...agent.generationSettings, ...pickGenerationSettings(request) }),
    restrictToKnowledge: agent.restrictToKnowledge,
    citationMarks: agent.citationMarks,
    ...choosePrompts(agent, request),
  };
}

/** Limits `maxTokens` to `MAX_ANSWER_TOKENS`, because earlier versions of Quarry stored larger values. */
function limitMaxTokens(settings: StoredGenerationSettings): StoredGenerationSettings {
  const { maxTokens } = settings;
  return maxTokens === undefined ? settings : { ...settings, maxTokens: Math.min(maxTokens, MAX_ANSWER_TOKENS) };
}

type Prompts = Pick<AnswerRequest, 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'>;

/**
 * Returns the prompts of an answer. `systemPrompt` or `promptType` of the request overrides the agent's system prompt.
 * `userPrompt` or its deprecated form `promptTemplate` overrides the agent's user prompt.
 */
function choosePrompts(
  agent: Pick<AgentWithDatastores, 'systemPrompt' | 'userPrompt'>,
  request: AgentQueryRequest,
): Prompts {
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
