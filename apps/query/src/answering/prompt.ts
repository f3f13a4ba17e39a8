import type { HistoryMessage, PromptType } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { ChatMessage } from '../models/chat-model.js';
import { fitHistory } from './history.js';
import { buildKnowledgeBlock, type KnowledgeBlock } from './knowledge-block.js';
import { fillPlaceholders, hasPlaceholder } from './placeholders.js';
import {
  KNOWLEDGE_RULES,
  NOTHING_FOUND_RESTRICTED_RULE,
  NOTHING_FOUND_RULE,
  getPresetPrompt,
  RESTRICTED_RULE,
  UNRESTRICTED_RULE,
} from './presets.js';
import { estimateTokens } from './tokens.js';

export interface PromptParts {
  readonly query: string;
  /** Messages, oldest first. */
  readonly history: readonly HistoryMessage[];
  /** Fragments, best first. */
  readonly sources: readonly ScoredFragment[];
  readonly systemPrompt?: string | undefined;
  readonly userPrompt?: string | undefined;
  readonly promptType?: PromptType | undefined;
  readonly promptTemplate?: string | undefined;
  readonly restrictToKnowledge: boolean;
}

export interface Prompt {
  readonly system: string | undefined;
  /** Messages, oldest first. The last one contains the user's question. */
  readonly messages: readonly ChatMessage[];
  /** Sources in the prompt. The first one has the number 1. */
  readonly sources: readonly ScoredFragment[];
}

/** Share of the remaining tokens for the knowledge, if there is a history. */
const KNOWLEDGE_SHARE = 0.7;
const MIN_KNOWLEDGE_TOKENS = 300;

/**
 * Builds the prompt in about `budget` tokens: system prompt, history, and a user message with the knowledge and the question. If
 * a prompt contains `{context}` or `{query}`, that part is inserted there instead.
 */
export function assemblePrompt(parts: PromptParts, budget: number): Prompt {
  const system = toNonBlank(parts.systemPrompt) ?? getPresetPrompt(parts.promptType);
  const user = toNonBlank(parts.userPrompt) ?? toNonBlank(parts.promptTemplate) ?? '';
  const left =
    budget - [system ?? '', user, parts.query, KNOWLEDGE_RULES].map(estimateTokens).reduce((a, b) => a + b, 0);
  const share = parts.history.length > 0 ? KNOWLEDGE_SHARE : 1;
  const block = buildKnowledgeBlock(parts.sources, Math.max(MIN_KNOWLEDGE_TOKENS, left * share));
  const history = fitHistory(parts.history, left - block.tokens);
  const values = { query: parts.query, context: buildContext(block, parts.restrictToKnowledge) };
  const isInSystem = system !== undefined && hasPlaceholder(system, 'context');
  const question = buildUserMessage(user, values, isInSystem);
  return {
    system: system === undefined ? undefined : fillPlaceholders(system, values),
    messages: appendQuestion(history, question),
    sources: block.sources,
  };
}

function toNonBlank(prompt: string | undefined): string | undefined {
  return prompt === undefined || prompt.trim() === '' ? undefined : prompt;
}

function buildContext(block: KnowledgeBlock, restricted: boolean): string {
  if (block.sources.length === 0) return restricted ? NOTHING_FOUND_RESTRICTED_RULE : NOTHING_FOUND_RULE;
  return `${KNOWLEDGE_RULES} ${restricted ? RESTRICTED_RULE : UNRESTRICTED_RULE}\n\n${block.text}`;
}

function buildUserMessage(
  template: string,
  values: { readonly query: string; readonly context: string },
  isContextElsewhere: boolean,
): string {
  const before = isContextElsewhere || hasPlaceholder(template, 'context') ? [] : [values.context];
  const after = hasPlaceholder(template, 'query') ? [] : [values.query];
  return [...before, fillPlaceholders(template, values), ...after].filter((part) => part !== '').join('\n\n');
}

/** Appends the question. Merges it with a last user message that has no answer because the answer failed. */
function appendQuestion(history: readonly ChatMessage[], text: string): ChatMessage[] {
  const last = history.at(-1);
  if (last?.role !== 'user') return [...history, { role: 'user', text }];
  return [...history.slice(0, -1), { role: 'user', text: `${last.text}\n\n${text}` }];
}
