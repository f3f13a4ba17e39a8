import { MAX_ANSWER_TOKENS, type AgentQueryRequest, type AnswerRequest, type HistoryMessage } from '@quarry/contracts';
import type { Agent } from '../agents/agent-repository.js';
import { pickGenerationSettings } from '../agents/agent-settings.js';
import type { StoredGenerationSettings } from '../database/tables/agents.js';
import { buildSearchScope } from '../searching/search-scope.js';
import type { SearchTarget } from '../searching/search-target.js';

/** Builds the request to the query service: the agent's settings, overridden by those of the request. */
export function buildAnswerRequest(
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
