import type { HistoryMessage, PromptType } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { ChatMessage } from '../models/chat-model.js';
import { fitHistory } from './history.js';
import { knowledgeBlock, type KnowledgeBlock } from './knowledge-block.js';
import { fillPlaceholders, hasPlaceholder } from './placeholders.js';
import {
  KNOWLEDGE_RULES,
  NOTHING_FOUND_RESTRICTED_RULE,
  NOTHING_FOUND_RULE,
  presetPrompt,
  RESTRICTED_RULE,
  UNRESTRICTED_RULE,
} from './presets.js';
import { estimateTokens } from './tokens.js';

export interface PromptParts {
  readonly query: string;
  /** Oldest first. */
  readonly history: readonly HistoryMessage[];
  /** Best first. */
  readonly sources: readonly ScoredFragment[];
  readonly systemPrompt?: string | undefined;
  readonly userPrompt?: string | undefined;
  readonly promptType?: PromptType | undefined;
  readonly promptTemplate?: string | undefined;
  readonly restrictToKnowledge: boolean;
}

export interface Prompt {
  readonly system: string | undefined;
  /** Oldest first; the last is the user's question. */
  readonly messages: readonly ChatMessage[];
  /** The sources that are in the prompt: number 1 is the first. */
  readonly sources: readonly ScoredFragment[];
}

/** Of what prompts and question leave, while there is a history. */
const KNOWLEDGE_SHARE = 0.7;
const LEAST_KNOWLEDGE_TOKENS = 300;

/**
 * What the model is given, in about `budget` tokens: system prompt, history, and the user's message with the knowledge and then
 * the question. A prompt that has `{context}` or `{query}` in it gets them there, and not again at the end.
 */
export function assemblePrompt(parts: PromptParts, budget: number): Prompt {
  const system = given(parts.systemPrompt) ?? presetPrompt(parts.promptType);
  const user = given(parts.userPrompt) ?? given(parts.promptTemplate) ?? '';
  const left =
    budget - [system ?? '', user, parts.query, KNOWLEDGE_RULES].map(estimateTokens).reduce((a, b) => a + b, 0);
  const share = parts.history.length > 0 ? KNOWLEDGE_SHARE : 1;
  const block = knowledgeBlock(parts.sources, Math.max(LEAST_KNOWLEDGE_TOKENS, left * share));
  const history = fitHistory(parts.history, left - block.tokens);
  const values = { query: parts.query, context: contextOf(block, parts.restrictToKnowledge) };
  const inSystem = system !== undefined && hasPlaceholder(system, 'context');
  const question = userMessage(user, values, inSystem);
  return {
    system: system === undefined ? undefined : fillPlaceholders(system, values),
    messages: withQuestion(history, question),
    sources: block.sources,
  };
}

function given(prompt: string | undefined): string | undefined {
  return prompt === undefined || prompt.trim() === '' ? undefined : prompt;
}

function contextOf(block: KnowledgeBlock, restricted: boolean): string {
  if (block.sources.length === 0) return restricted ? NOTHING_FOUND_RESTRICTED_RULE : NOTHING_FOUND_RULE;
  return `${KNOWLEDGE_RULES} ${restricted ? RESTRICTED_RULE : UNRESTRICTED_RULE}\n\n${block.text}`;
}

function userMessage(
  template: string,
  values: { readonly query: string; readonly context: string },
  contextIsElsewhere: boolean,
): string {
  const before = contextIsElsewhere || hasPlaceholder(template, 'context') ? [] : [values.context];
  const after = hasPlaceholder(template, 'query') ? [] : [values.query];
  return [...before, fillPlaceholders(template, values), ...after].filter((part) => part !== '').join('\n\n');
}

/** A history that ends with the user, because an answer failed, takes the question into its last turn. */
function withQuestion(history: readonly ChatMessage[], text: string): ChatMessage[] {
  const last = history.at(-1);
  if (last?.role !== 'user') return [...history, { role: 'user', text }];
  return [...history.slice(0, -1), { role: 'user', text: `${last.text}\n\n${text}` }];
}
