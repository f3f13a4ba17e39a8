import { buildExcerpt } from '../components/build-excerpt.js';

/** Minimum number of characters before the selected sentence. The excerpt of a shorter beginning shows the sentence anyway. */
const MIN_SKIPPED = 80;
const SENTENCE = /\S.*?(?:[.!?…](?=\s|$)|$)/gmu;
/** Words of at least four letters, because shorter ones are in most sentences, and numbers. */
const WORD = /\p{L}{4,}|\p{N}+(?:[.,]\p{N}+)*/gu;
const CITATION = /\[\d+\]/g;

/**
 * Returns a passage as plain text, from the sentence on that has the most words of an answer, so that its beginning shows why it was
 * cited. Returns the whole passage if no sentence stands out.
 */
export function selectExcerpt(text: string, answer: string): string {
  const words = listWords(answer.replaceAll(CITATION, ''));
  let [start, most] = [0, 1];
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    const shared = [...listWords(sentence)].filter((word) => words.has(word)).length;
    if (shared > most) [start, most] = [index, shared];
  }
  return start < MIN_SKIPPED ? buildExcerpt(text) : `… ${buildExcerpt(text.slice(start))}`;
}

function listWords(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase()));
}
