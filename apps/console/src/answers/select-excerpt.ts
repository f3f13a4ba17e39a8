import { CitationMarks } from '@quarry/text-analysis/citation-marks';
import { buildExcerpt } from '../components/build-excerpt.js';

/**
 * Minimum number of characters that an excerpt omits at the beginning of a passage. If fewer characters precede the
 * selected sentence, the excerpt is the whole passage.
 */
const MIN_SKIPPED = 80;
const SENTENCE = /\S(?:[^\n.!?…]|[.!?…](?=\S))*[.!?…]?/gu;
/**
 * Matches the words that are compared: numbers, and words of at least four letters. Shorter words occur in most
 * sentences.
 */
const WORD = /\p{L}{4,}|\p{N}+(?:[.,]\p{N}+)*/gu;

/**
 * Returns a passage as plain text, starting with the sentence that shares the most words with an answer. The excerpt
 * thus shows why the passage was cited. Returns the whole passage if this sentence is near its beginning, or if no
 * sentence shares at least two words with the answer.
 */
export function selectExcerpt(text: string, answer: string): string {
  const words = collectWords(removeCitationMarks(answer));
  let [start, most] = [0, 1];
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    const shared = [...collectWords(sentence)].filter((word) => words.has(word)).length;
    if (shared > most) [start, most] = [index, shared];
  }
  return start < MIN_SKIPPED ? buildExcerpt(text) : `… ${buildExcerpt(text.slice(start))}`;
}

/** Removes the citation marks of an answer, whose numbers are not words of the answer. */
function removeCitationMarks(answer: string): string {
  const marks = new CitationMarks(Infinity);
  return marks.pushText(answer) + marks.endText();
}

function collectWords(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase()));
}
