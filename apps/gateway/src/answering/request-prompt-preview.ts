import type { PromptPreviewRequest, PromptPreviewResponse } from '@quarry/contracts';
import type { AskedAgent } from '../agents/asked-agent.js';
import type { Gateway } from '../gateway.js';
import { buildAnswerRequest } from './ask-agent.js';

/**
 * Returns what an agent sends to its model for the first question of a conversation. The settings in the request replace those
 * of the agent.
 *
 * @throws Problem of the query service
 */
export async function requestPromptPreview(
  { queryService }: Pick<Gateway, 'queryService'>,
  agent: AskedAgent,
  { query, ...settings }: PromptPreviewRequest,
  signal: AbortSignal,
): Promise<PromptPreviewResponse> {
  const edited = { ...agent, ...pickPresent(settings) };
  return queryService.previewPrompt(buildAnswerRequest(edited, { query }, []), signal);
}

type Settings = Omit<PromptPreviewRequest, 'query'>;

/** Leaves out absent settings and those with the value null. A blank prompt stays: it stands for the default. */
function pickPresent({ systemPrompt, userPrompt, restrictToKnowledge }: Settings): Settings {
  return {
    ...(typeof systemPrompt === 'string' && { systemPrompt }),
    ...(typeof userPrompt === 'string' && { userPrompt }),
    ...(typeof restrictToKnowledge === 'boolean' && { restrictToKnowledge }),
  };
}
