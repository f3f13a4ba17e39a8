import type { PromptPreviewRequest, PromptPreviewResponse } from '@quarry/contracts';
import type { AgentWithDatastores } from '../agents/agent-with-datastores.js';
import type { Gateway } from '../gateway.js';
import { buildAnswerRequest } from './ask-agent.js';

/**
 * Returns the prompt that an agent sends to its model for the first question of a conversation. The settings in the
 * request replace the settings of the agent.
 *
 * @throws the problem with which the query service refuses the request
 */
export async function requestPromptPreview(
  { queryService }: Pick<Gateway, 'queryService'>,
  agent: AgentWithDatastores,
  { query, ...settings }: PromptPreviewRequest,
  signal: AbortSignal,
): Promise<PromptPreviewResponse> {
  const edited = { ...agent, ...pickPresentSettings(settings) };
  return queryService.previewPrompt(buildAnswerRequest(edited, { query }, []), signal);
}

type Settings = Omit<PromptPreviewRequest, 'query'>;

/** Returns the settings that are present and not null. Keeps a blank prompt, which selects the default prompt. */
function pickPresentSettings({ systemPrompt, userPrompt, restrictToKnowledge }: Settings): Settings {
  return {
    ...(typeof systemPrompt === 'string' && { systemPrompt }),
    ...(typeof userPrompt === 'string' && { userPrompt }),
    ...(typeof restrictToKnowledge === 'boolean' && { restrictToKnowledge }),
  };
}
