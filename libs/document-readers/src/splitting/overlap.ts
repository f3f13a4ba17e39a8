import { countTokens } from '@quarry/text-analysis/tokens';
import { joinParts, type Part } from './part.js';
import { sentencesOf, wordsOf } from './slices.js';

/** No token of running text is longer on average; what lies further back cannot be part of the overlap. */
const CHARACTERS_PER_TOKEN = 12;

/** The end of what has just been said, in whole sentences or at least words, of at most `limit` tokens; empty when nothing fits. */
export function overlapOf(parts: readonly Part[], limit: number): string {
  if (limit === 0) return '';
  const { text } = joinParts(parts);
  const near = text.slice(-limit * CHARACTERS_PER_TOKEN);
  // Cut out of the middle, the first sentence and the first word may be torn.
  const sentences = tail(sentencesOf(near), limit, near.length < text.length);
  const found = sentences === '' ? tail(wordsOf(near), limit, near.length < text.length) : sentences;
  const overlap = found.trim();
  return overlap.length < text.length ? overlap : '';
}

function tail(slices: readonly string[], limit: number, firstIsTorn: boolean): string {
  let room = limit;
  let start = slices.length;
  while (start > (firstIsTorn ? 1 : 0)) {
    room -= countTokens(slices[start - 1] ?? '');
    if (room < 0) break;
    start -= 1;
  }
  return slices.slice(start).join('');
}

/** Whether two blocks are one running text, so that the end of one helps to understand the other. */
export function sameFlow(one: Part['block'], other: Part['block']): boolean {
  const running = isRunning(one) && isRunning(other);
  return running && one.headingPath.join('\n') === other.headingPath.join('\n') && one.location === other.location;
}

function isRunning(block: Part['block']): boolean {
  return block.kind === 'text' || block.kind === 'list';
}
