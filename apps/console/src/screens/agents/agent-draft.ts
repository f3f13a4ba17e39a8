import type { Agent, UpdateAgentRequest } from '@quarry/client';
import { MODELS, type ModelName } from './models.js';

/** The names of the numeric model settings of an agent. */
export const NUMBERS = ['temperature', 'maxTokens', 'topP', 'presencePenalty', 'frequencyPenalty'] as const;
export type NumberName = (typeof NUMBERS)[number];

/** The settings of an agent as entered in its form. Numbers are texts, and an empty text stands for the default. */
export interface AgentDraft extends Readonly<Record<NumberName, string>> {
  readonly name: string;
  readonly description: string;
  readonly datastoreIds: readonly string[];
  readonly modelName: ModelName | '';
  readonly restrictToKnowledge: boolean;
  readonly citationMarks: boolean;
}

export function createAgentDraft(agent: Agent): AgentDraft {
  const toText = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : `${value}`;
  return {
    name: agent.name,
    description: agent.description ?? '',
    datastoreIds: agent.datastoreIds,
    modelName: agent.modelName ?? '',
    temperature: toText(agent.temperature),
    maxTokens: toText(agent.maxTokens),
    topP: toText(agent.topP),
    presencePenalty: toText(agent.presencePenalty),
    frequencyPenalty: toText(agent.frequencyPenalty),
    restrictToKnowledge: agent.restrictToKnowledge,
    citationMarks: agent.citationMarks,
  };
}

/** Builds the request that updates an agent. An empty field resets its setting to the default. */
export function buildAgentUpdate(draft: AgentDraft): UpdateAgentRequest {
  const { name, description, modelName, restrictToKnowledge, citationMarks } = draft;
  return {
    ...{ name: name.trim(), restrictToKnowledge, citationMarks, datastoreIds: [...draft.datastoreIds] },
    description: description.trim() === '' ? null : description.trim(),
    modelName: modelName === '' ? null : modelName,
    temperature: parseDecimalNumber(draft.temperature),
    maxTokens: parseDecimalNumber(draft.maxTokens),
    topP: parseDecimalNumber(draft.topP),
    presencePenalty: parseDecimalNumber(draft.presencePenalty),
    frequencyPenalty: parseDecimalNumber(draft.frequencyPenalty),
  };
}

/** Parses a number with a decimal point or comma. Returns null for an empty text, and NaN for any other text. */
function parseDecimalNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text.trim().replace(',', '.'));
}

/** Returns the name if the API accepts a model with this name; otherwise an empty string. */
export function parseModelName(name: string): ModelName | '' {
  return Object.keys(MODELS).find((model): model is ModelName => model === name) ?? '';
}
