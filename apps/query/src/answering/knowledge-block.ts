import type { ScoredFragment } from '@quarry/fragment-store';
import { estimateTokens, truncateToTokens } from './tokens.js';

/** Holds the sources of a prompt as formatted text. */
export interface KnowledgeBlock {
  readonly text: string;
  /** Sources in the block, in its order. The first one has the number 1. */
  readonly sources: readonly ScoredFragment[];
  /** Approximate number of tokens of the text. */
  readonly tokens: number;
}

const SOURCE_OVERHEAD_TOKENS = 20;
/** Minimum number of tokens of a truncated source. A shorter excerpt would not help the model. */
const MIN_SOURCE_TOKENS = 40;

/**
 * Formats fragments as numbered sources between `<knowledge>` and `</knowledge>` until the budget is used. Truncates the last
 * source if necessary. Fragment text can neither close nor open a tag of the block.
 *
 * @param budget in tokens; the first fragment is always included, truncated if necessary
 */
export function buildKnowledgeBlock(fragments: readonly ScoredFragment[], budget: number): KnowledgeBlock {
  const blocks: string[] = [];
  let left = budget;
  for (const [at, fragment] of fragments.entries()) {
    const room = left - SOURCE_OVERHEAD_TOKENS - estimateTokens(fragment.context);
    if (at > 0 && room < MIN_SOURCE_TOKENS) break;
    const { text, tokens } = truncateToTokens(fragment.text, Math.max(MIN_SOURCE_TOKENS, room));
    left = room - tokens;
    blocks.push(`<source ${formatAttributes(at + 1, fragment)}>\n${escapeReservedTags(text)}\n</source>`);
  }
  const sources = fragments.slice(0, blocks.length);
  return { text: `<knowledge>\n${blocks.join('\n')}\n</knowledge>`, sources, tokens: budget - left };
}

function formatAttributes(number: number, { context, page, location }: ScoredFragment): string {
  const title = formatAttribute('title', context);
  const place =
    location === null ? formatAttribute('page', page === null ? '' : String(page)) : formatAttribute('place', location);
  return `id="${number}"${title}${place}`;
}

function formatAttribute(name: string, value: string): string {
  const line = escapeReservedTags(value).replace(/\s+/g, ' ').replaceAll('"', '”').trim();
  return line === '' ? '' : ` ${name}="${line}"`;
}

/**
 * Escapes the tags of the block and the turn markers of local chat templates (`<|im_start|>`, `<start_of_turn>`). Otherwise a
 * model server would read such markers in a text as the start of another role's message.
 */
function escapeReservedTags(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:knowledge|source)\b|\||(?:start|end)_of_turn>)/gi, '&lt;');
}
