import type { AgentSettings, GenerationSettings, UpdateAgentRequest } from '@quarry/contracts';
import type { AgentRow, Generation } from '../database/tables/agents.js';

const GENERATION = [
  'modelName',
  'temperature',
  'maxTokens',
  'presencePenalty',
  'frequencyPenalty',
  'topP',
] as const satisfies readonly (keyof GenerationSettings)[];

/** The generation settings among others. Null is absent, as clients that fill every field send it. */
export function generationOf(settings: AgentSettings): Generation {
  return Object.fromEntries(
    GENERATION.flatMap((name) => {
      const value: unknown = settings[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** What a change of an agent sets: absent leaves a setting as it is, null puts it back to its default. */
export function changes(agent: AgentRow, request: UpdateAgentRequest): Partial<AgentRow> {
  const { name, description, systemPrompt, userPrompt, restrictToKnowledge, citationMarks } = request;
  const unchanged = Object.entries(agent.generation).filter(([setting]) => Reflect.get(request, setting) === undefined);
  return {
    generation: { ...Object.fromEntries(unchanged), ...generationOf(request) },
    ...(name === undefined || name === null ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
    ...(restrictToKnowledge === undefined ? {} : { restrictToKnowledge: restrictToKnowledge ?? true }),
    ...(citationMarks === undefined ? {} : { citationMarks: citationMarks ?? false }),
  };
}
