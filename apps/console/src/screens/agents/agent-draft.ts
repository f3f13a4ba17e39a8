import type { Agent, UpdateAgentRequest } from '@quarry/client';
import { isNumberText, parseNumberText, type NumberKind } from '../../components/number-text.js';
import { pickChanges } from '../../components/use-draft.js';
import { MODELS, type ModelName } from './models.js';

/** The names of the numeric model settings of an agent. */
export const NUMBERS = ['temperature', 'maxTokens', 'topP', 'presencePenalty', 'frequencyPenalty'] as const;
export type NumberName = (typeof NUMBERS)[number];

/** Returns the kind of a numeric model setting. */
export function getNumberKind(name: NumberName): NumberKind {
  return name === 'maxTokens' ? 'whole' : 'decimal';
}

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

/** Returns true if `buildAgentUpdate` can build a request from the draft. */
export function isCompleteDraft(draft: AgentDraft): boolean {
  return draft.name.trim() !== '' && NUMBERS.every((name) => isNumberText(draft[name], getNumberKind(name)));
}

/**
 * Builds the request that updates an agent. Omits the settings that the user has not changed, because another user may
 * have changed them in the meantime. An empty field resets its setting to the default.
 *
 * @throws RangeError if a number is not valid
 */
export function buildAgentUpdate(stored: AgentDraft, draft: AgentDraft): UpdateAgentRequest {
  return pickChanges(parseSettings(stored), parseSettings(draft));
}

function parseSettings(draft: AgentDraft): UpdateAgentRequest {
  const { name, description, modelName, restrictToKnowledge, citationMarks } = draft;
  const parse = (setting: NumberName): number | null => parseNumberText(draft[setting], getNumberKind(setting));
  return {
    ...{ name: name.trim(), restrictToKnowledge, citationMarks, datastoreIds: [...draft.datastoreIds] },
    description: description.trim() === '' ? null : description.trim(),
    modelName: modelName === '' ? null : modelName,
    temperature: parse('temperature'),
    maxTokens: parse('maxTokens'),
    topP: parse('topP'),
    presencePenalty: parse('presencePenalty'),
    frequencyPenalty: parse('frequencyPenalty'),
  };
}

/** Returns the name if the API accepts a model with this name; otherwise an empty string. */
export function parseModelName(name: string): ModelName | '' {
  return Object.keys(MODELS).find((model): model is ModelName => model === name) ?? '';
}
