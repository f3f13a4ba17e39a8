import { countTokens } from '@quarry/text-analysis/tokens';
import { joinParts, type Part } from './part.js';
import { sentencesOf, wordsOf } from './slices.js';

/** Upper bound of the average token length, to limit the text that is searched. */
const CHARACTERS_PER_TOKEN = 12;

/** Selects the overlap: the last whole sentences, or at least words, of at most `limit` tokens. Returns '' if nothing fits. */
export function selectOverlap(parts: readonly Part[], limit: number): string {
  if (limit === 0) return '';
  const { text } = joinParts(parts);
  const near = text.slice(-limit * CHARACTERS_PER_TOKEN);
  // The first sentence and the first word of the slice can be incomplete.
  const sentences = takeTail(sentencesOf(near), limit, near.length < text.length);
  const found = sentences === '' ? takeTail(wordsOf(near), limit, near.length < text.length) : sentences;
  const overlap = found.trim();
  return overlap.length < text.length ? overlap : '';
}

function takeTail(slices: readonly string[], limit: number, skipFirst: boolean): string {
  let budget = limit;
  let start = slices.length;
  while (start > (skipFirst ? 1 : 0)) {
    budget -= countTokens(slices[start - 1] ?? '');
    if (budget < 0) break;
    start -= 1;
  }
  return slices.slice(start).join('');
}

/** Returns whether two blocks belong to one running text, so that overlap helps to understand the second. */
export function isSameText(one: Part['block'], other: Part['block']): boolean {
  const areRunningText = isRunningText(one) && isRunningText(other);
  return (
    areRunningText && one.headingPath.join('\n') === other.headingPath.join('\n') && one.location === other.location
  );
}

function isRunningText(block: Part['block']): boolean {
  return block.kind === 'text' || block.kind === 'list';
}
