import { textOf, type Line } from './line.js';

const WORD = /[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** The words of a document, in lower case: they tell whether a hyphen at a line's end belongs to its word. */
export function vocabularyOf(lines: Iterable<Line>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of textOf(line).matchAll(WORD)) words.add(word.toLowerCase());
  }
  return words;
}

/** Lines of one paragraph to its text: words that are cut at a line's end are whole again. */
export function joinLines(lines: readonly Line[], vocabulary: ReadonlySet<string>): string {
  let text = '';
  let cutWord = false;
  for (const line of lines) {
    const next = textOf(line);
    text = text === '' ? next : cutWord ? mend(text, next, vocabulary) : text + between(text, next) + next;
    cutWord = line.hyphenated || /\p{L}[-\u2010]$/u.test(text);
    if (cutWord && !line.hyphenated) text = text.slice(0, -1);
  }
  return cutWord ? `${text}-` : text;
}

/** `ef` and `ficient` are one word; `Lucene` and `BM25` keep their hyphen; the rest is as elsewhere in the document. */
function mend(text: string, next: string, vocabulary: ReadonlySet<string>): string {
  const before = /[\p{L}\p{M}\p{N}-]*$/u.exec(text)?.[0].toLowerCase() ?? '';
  const after = /^[\p{L}\p{M}\p{N}]*/u.exec(next)?.[0] ?? '';
  if (vocabulary.has(`${before}-${after.toLowerCase()}`)) return `${text}-${next}`;
  const oneWord = vocabulary.has(before + after.toLowerCase()) || /^\p{Ll}/u.test(after);
  return oneWord ? text + next : `${text}-${next}`;
}

function between(text: string, next: string): string {
  return WITHOUT_SPACES.test(text.slice(-1)) && WITHOUT_SPACES.test(next.charAt(0)) ? '' : ' ';
}
