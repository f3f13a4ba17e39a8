import type { ScoredFragment } from '@quarry/fragment-store';
import { escapeTags } from '../models/escape-tags.js';
import { countTokens } from '@quarry/text-analysis/tokens';
import { SourceTokens } from './source-tokens.js';
import { type CountedText, estimateTokens, truncateToTokens } from './tokens.js';

/** Holds the sources of a prompt as formatted text. */
export interface KnowledgeBlock {
  readonly text: string;
  /** Those sources that the block contains, in the same order. The first one has the number 1. */
  readonly sources: readonly ScoredFragment[];
  /** Approximate number of tokens of `text`. */
  readonly tokens: number;
  /** The block without the texts of its sources: only the tags and their attributes. */
  readonly frame: string;
  /** Number of tokens of the source texts, which `frame` omits. */
  readonly omittedTokens: number;
}

const SOURCE_OVERHEAD_TOKENS = 20;
/** Minimum number of tokens to which a source is truncated. A shorter excerpt would not help the model. */
const MIN_SOURCE_TOKENS = 40;

/**
 * Formats fragments as numbered sources between `<knowledge>` and `</knowledge>` until the token budget is used.
 * Truncates the last source if necessary. Fragment text can neither close nor open a tag of the block.
 *
 * @param tokenBudget approximate maximum number of tokens; the first fragment is always included, truncated if
 *   necessary
 */
export function buildKnowledgeBlock(
  fragments: readonly ScoredFragment[],
  tokenBudget: number,
  cache = new SourceTokens(),
): KnowledgeBlock {
  const heads: string[] = [];
  const texts: string[] = [];
  let left = tokenBudget;
  let omittedTokens = 0;
  for (const [at, fragment] of fragments.entries()) {
    const room = left - SOURCE_OVERHEAD_TOKENS - estimateTokens(fragment.context);
    if (at > 0 && room < MIN_SOURCE_TOKENS) break;
    const counted = truncateSource(fragment, Math.max(MIN_SOURCE_TOKENS, room), cache);
    const text = `${escapeReservedTags(counted.text.replace(/\n$/, ''))}\n`;
    left = room - counted.tokens;
    omittedTokens += text === counted.text ? counted.tokens : estimateTokens(text);
    heads.push(`<source ${formatSourceAttributes(at + 1, fragment)}>\n`);
    texts.push(text);
  }
  const sources = fragments.slice(0, heads.length);
  const text = formatKnowledgeBlock(heads.map((head, at) => `${head}${texts[at] ?? ''}</source>`));
  const frame = formatKnowledgeBlock(heads.map((head) => `${head}</source>`));
  return { text, sources, tokens: tokenBudget - left, frame, omittedTokens };
}

/**
 * Appends a line break to the text of a source, and truncates the result to at most `maxTokens` tokens. The line break
 * is counted with the text, because the tokenizer joins punctuation with line breaks.
 */
function truncateSource(fragment: ScoredFragment, maxTokens: number, cache: SourceTokens): CountedText {
  const text = `${fragment.text}\n`;
  return truncateToTokens(text, maxTokens, () => cache.getOrCount(fragment, () => countTokens(text)));
}

function formatKnowledgeBlock(sources: readonly string[]): string {
  return `<knowledge>\n${sources.join('\n')}\n</knowledge>`;
}

function formatSourceAttributes(number: number, { context, page, location }: ScoredFragment): string {
  const title = formatAttribute('title', context);
  const place =
    location === null ? formatAttribute('page', page === null ? '' : String(page)) : formatAttribute('place', location);
  return `id="${number}"${title}${place}`;
}

function formatAttribute(name: string, value: string): string {
  const line = escapeReservedTags(value).replace(/\s+/g, ' ').replaceAll('"', '”').trim();
  return line === '' ? '' : ` ${name}="${line}"`;
}

function escapeReservedTags(text: string): string {
  return escapeTags(text, 'knowledge', 'source');
}
