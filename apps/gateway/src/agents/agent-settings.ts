import type { AgentSettings, GenerationSettings, UpdateAgentRequest } from '@quarry/contracts';
import type { AgentRow, StoredGenerationSettings } from '../database/tables/agents.js';

const GENERATION_FIELDS = [
  'modelName',
  'temperature',
  'maxTokens',
  'presencePenalty',
  'frequencyPenalty',
  'topP',
] as const satisfies readonly (keyof GenerationSettings)[];

/** Returns the generation settings of an agent or request. Omits nulls, because some clients send null for unset fields. */
export function pickGenerationSettings(settings: AgentSettings): StoredGenerationSettings {
  return Object.fromEntries(
    GENERATION_FIELDS.flatMap((name) => {
      const value: unknown = settings[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** Returns the columns that an update changes. An absent field stays as it is, and null resets a field to its default. */
export function buildAgentChanges(agent: AgentRow, request: UpdateAgentRequest): Partial<AgentRow> {
  const { name, description, systemPrompt, userPrompt, restrictToKnowledge, citationMarks } = request;
  const unchanged = Object.entries(agent.generationSettings).filter(
    ([setting]) => Reflect.get(request, setting) === undefined,
  );
  return {
    generationSettings: { ...Object.fromEntries(unchanged), ...pickGenerationSettings(request) },
    ...(name === undefined || name === null ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
    ...(restrictToKnowledge === undefined ? {} : { restrictToKnowledge: restrictToKnowledge ?? true }),
    ...(citationMarks === undefined ? {} : { citationMarks: citationMarks ?? false }),
  };
}
