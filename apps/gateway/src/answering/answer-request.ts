import { MAX_ANSWER_TOKENS, type AgentQueryRequest, type AnswerRequest, type HistoryMessage } from '@quarry/contracts';
import type { Agent } from '../agents/agent-repository.js';
import { generationOf } from '../agents/agent-settings.js';
import type { Generation } from '../database/tables/agents.js';
import { buildSearchScope } from '../searching/search-scope.js';
import type { SearchTarget } from '../searching/search-target.js';

/** What the query service is asked: the agent's settings, overridden by those that the request brings. */
export function answerRequest(
  agent: Agent,
  datastores: readonly SearchTarget[],
  request: AgentQueryRequest,
  history: readonly HistoryMessage[],
): AnswerRequest {
  return {
    ...buildSearchScope(agent.organizationId, datastores, request.filters),
    query: request.query,
    history,
    generation: withinLimits({ ...agent.generation, ...generationOf(request) }),
    restrictToKnowledge: agent.restrictToKnowledge,
    citationMarks: agent.citationMarks,
    ...prompts(agent, request),
  };
}

/** Agents of versions without this limit may be set to more. */
function withinLimits(generation: Generation): Generation {
  const { maxTokens } = generation;
  return maxTokens === undefined ? generation : { ...generation, maxTokens: Math.min(maxTokens, MAX_ANSWER_TOKENS) };
}

type Prompts = Pick<AnswerRequest, 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'>;

/** The deprecated fields, too, come before what the agent is set to: `promptTemplate` is a user prompt by another name. */
function prompts(agent: Agent, request: AgentQueryRequest): Prompts {
  const promptType = request.promptType ?? undefined;
  const promptTemplate = textIn(request.promptTemplate);
  const systemPrompt =
    textIn(request.systemPrompt) ?? (promptType === undefined ? textIn(agent.systemPrompt) : undefined);
  const userPrompt =
    textIn(request.userPrompt) ?? (promptTemplate === undefined ? textIn(agent.userPrompt) : undefined);
  return {
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
    ...(promptType === undefined ? {} : { promptType }),
    ...(promptTemplate === undefined ? {} : { promptTemplate }),
  };
}

/** Clients that fill every field send null or blanks for what is not set. */
function textIn(prompt: string | null | undefined): string | undefined {
  return prompt === undefined || prompt === null || prompt.trim() === '' ? undefined : prompt;
}
