import { getLineText, type Line } from './line.js';

const WORD = /[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*/gu;
const SCRIPT_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/**
 * Matches a conjunction at the start of a line. It follows a word whose last part is omitted, such as `ein- und
 * auszahlen`. Conjunctions that are common last syllables, such as the Dutch `en`, are not listed.
 */
const CONJUNCTION = /^(?:und|oder|bzw|sowie|and|or|och|eller|og)(?![\p{L}\p{M}\p{N}])/u;

/**
 * Collects the words of a document, converted to lower case. They determine whether a hyphen at a line end belongs to a
 * word.
 */
export function collectVocabulary(lines: Iterable<Line>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of getLineText(line).matchAll(WORD)) words.add(word.toLowerCase());
  }
  return words;
}

/** Holds the text of a paragraph, and the start of each line in that text. */
export interface JoinedLines {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Joins the lines of a paragraph, and rejoins words that are hyphenated at a line end. */
export function joinLinesIntoText(lines: readonly Line[], vocabulary: ReadonlySet<string>): JoinedLines {
  const starts: number[] = [];
  let text = '';
  let isWordCut = false;
  for (const line of lines) {
    const next = getLineText(line);
    text =
      text === ''
        ? next
        : isWordCut
          ? joinHyphenatedWord(text, next, vocabulary)
          : text + chooseLineSeparator(text, next) + next;
    starts.push(text.length - next.length);
    isWordCut = line.hyphenated || /\p{L}[-\u2010]$/u.test(text);
    if (isWordCut && !line.hyphenated) text = text.slice(0, -1);
  }
  return { text: isWordCut ? `${text}-` : text, starts };
}

/**
 * Joins the two parts of a hyphenated word. If the vocabulary contains the word with or without the hyphen, uses that
 * form. Keeps the hyphen before a conjunction, and adds a space. Otherwise, `ef-` and `ficient` lose the hyphen,
 * because the second part is in lower case, but `Lucene-` and `BM25` keep it.
 */
function joinHyphenatedWord(text: string, next: string, vocabulary: ReadonlySet<string>): string {
  const before = /[\p{L}\p{M}\p{N}-]*$/u.exec(text)?.[0].toLowerCase() ?? '';
  const after = /^[\p{L}\p{M}\p{N}]*/u.exec(next)?.[0] ?? '';
  if (vocabulary.has(`${before}-${after.toLowerCase()}`)) return `${text}-${next}`;
  if (vocabulary.has(before + after.toLowerCase())) return text + next;
  if (CONJUNCTION.test(next)) return `${text}- ${next}`;
  return /^\p{Ll}/u.test(after) ? text + next : `${text}-${next}`;
}

function chooseLineSeparator(text: string, next: string): string {
  return SCRIPT_WITHOUT_SPACES.test(text.slice(-1)) && SCRIPT_WITHOUT_SPACES.test(next.charAt(0)) ? '' : ' ';
}
