import type { AgentSettings, GenerationSettings } from '@quarry/contracts';
import type { Generation } from '../database/tables/agents.js';

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
