import { MAX_EXAMINED_WORDS, measureEvidenceByLanguage, selectLikelyLanguages } from './likely-languages.js';
import { normalizeText } from './normalize-text.js';
import { detectScriptLanguage } from './script-languages.js';
import { splitIntoScriptRuns } from './script-runs.js';

/**
 * Maximum number of characters of a document to examine. In most languages, these contain more than
 * `MAX_EXAMINED_WORDS` words.
 */
const MAX_EXAMINED_CHARACTERS = 8_000;
/**
 * Minimum evidence for a language (`measureEvidenceByLanguage`), divided by the number of examined words. A quarter to
 * a half of the words of prose are stop words. Words that look like stop words are rare in lists, in tables, and in
 * texts of a language without stop words.
 */
const MIN_EVIDENCE_PER_WORD = 0.08;
/**
 * Minimum number of words of a text whose language stop words can determine. In a shorter text, the stop words may be
 * parts of names.
 */
const MIN_WORDS = 5;

const HANGUL = /\p{Script=Hangul}/u;

/**
 * Returns the ISO 639-1 code of the main language of a document. Returns undefined if the language is unclear, as in a
 * list of names, a table of numbers, or a short text.
 *
 * @param texts are the parts of the document in reading order
 */
export function detectDocumentLanguage(texts: Iterable<string>): string | undefined {
  const text = joinTexts(texts, MAX_EXAMINED_CHARACTERS);
  const runs = [...splitIntoScriptRuns(normalizeText(text))];
  const words = runs.filter(({ kind }) => kind === 'spaced').slice(0, MAX_EXAMINED_WORDS);
  const other = runs.filter(({ kind }) => kind !== 'spaced');
  if (countCharacters(other) > countCharacters(words))
    return detectScriptLanguage(other.map((run) => run.text).join(''));
  const evidence = measureEvidenceByLanguage(words.map((run) => run.text));
  const best = Math.max(0, ...evidence.values());
  const [only, ...others] = selectLikelyLanguages(evidence);
  const isProse = words.length >= MIN_WORDS && best >= MIN_EVIDENCE_PER_WORD * words.length;
  if (isProse && others.length === 0) return only?.code;
  const hangul = words.filter((run) => HANGUL.test(run.text));
  return hangul.length > words.length / 2 ? 'ko' : undefined;
}

function countCharacters(runs: readonly { readonly text: string }[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

function joinTexts(texts: Iterable<string>, maxLength: number): string {
  let joined = '';
  for (const text of texts) {
    joined += `${text.slice(0, maxLength - joined.length)}\n`;
    if (joined.length >= maxLength) break;
  }
  return joined;
}
