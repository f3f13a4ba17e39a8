import type { ScoredFragment } from '@quarry/fragment-store';
import { estimateTokens, truncate } from './tokens.js';

/** What of the knowledge goes into a prompt. */
export interface KnowledgeBlock {
  readonly text: string;
  /** Those that are in it, in its order: the first is number 1. */
  readonly sources: readonly ScoredFragment[];
  /** About as many as the text has. */
  readonly tokens: number;
}

const SOURCE_OVERHEAD_TOKENS = 20;
/** Less of a fragment than this is not worth its place. */
const LEAST_TOKENS = 40;

/**
 * The fragments as numbered blocks of data between `<knowledge>` and `</knowledge>`, as many as the budget holds, the last one
 * cut where it must be. No text of a fragment can end a block or begin another.
 *
 * @param budget in tokens; the first fragment always has a part
 */
export function knowledgeBlock(fragments: readonly ScoredFragment[], budget: number): KnowledgeBlock {
  const blocks: string[] = [];
  let left = budget;
  for (const [at, fragment] of fragments.entries()) {
    const room = left - SOURCE_OVERHEAD_TOKENS - estimateTokens(fragment.context);
    if (at > 0 && room < LEAST_TOKENS) break;
    const { text, tokens } = truncate(fragment.text, Math.max(LEAST_TOKENS, room));
    left = room - tokens;
    blocks.push(`<source ${attributes(at + 1, fragment)}>\n${disarm(text)}\n</source>`);
  }
  const sources = fragments.slice(0, blocks.length);
  return { text: `<knowledge>\n${blocks.join('\n')}\n</knowledge>`, sources, tokens: budget - left };
}

function attributes(number: number, { context, page, location }: ScoredFragment): string {
  const title = attribute('title', context);
  const place = location === null ? attribute('page', page === null ? '' : String(page)) : attribute('place', location);
  return `id="${number}"${title}${place}`;
}

function attribute(name: string, value: string): string {
  const line = disarm(value).replace(/\s+/g, ' ').replaceAll('"', '”').trim();
  return line === '' ? '' : ` ${name}="${line}"`;
}

/**
 * Our own tags in a text are no tags, and neither are the marks by which the templates of local models tell turns apart
 * (`<|im_start|>`, `<start_of_turn>`): a server that reads them in a text would take it for another's.
 */
function disarm(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:knowledge|source)\b|\||(?:start|end)_of_turn>)/gi, '&lt;');
}
