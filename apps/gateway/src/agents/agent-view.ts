import type { AgentResponse } from '@quarry/contracts';
import type { Agent } from './agent-repository.js';

/** Returns an agent as the API shows it. */
export function viewAgent(agent: Agent): AgentResponse {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    datastoreIds: agent.datastoreIds,
    ...agent.generationSettings,
    systemPrompt: agent.systemPrompt,
    userPrompt: agent.userPrompt,
    restrictToKnowledge: agent.restrictToKnowledge,
    citationMarks: agent.citationMarks,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
  };
}
