import { getLineText, type Line } from './line.js';
import type { PageLine } from './line-paragraphs.js';

const WORD = /[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*/gu;
const SCRIPT_WITHOUT_SPACES = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]';
const SCRIPT_WITHOUT_SPACES_START = new RegExp(`^${SCRIPT_WITHOUT_SPACES}`, 'u');
const SCRIPT_WITHOUT_SPACES_END = new RegExp(`${SCRIPT_WITHOUT_SPACES}$`, 'u');
const HANGUL_START = /^\p{Script=Hangul}/u;
const HANGUL_END = /\p{Script=Hangul}$/u;
/**
 * Minimum share of lines with a space at the end, among the lines of a page whose last letter is Korean. Below this
 * share, no Korean words are joined.
 */
const MIN_SPACE_SHARE = 0.2;
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

/** Returns whether a line of a paragraph ends inside a word that has no hyphen. */
export type WordCutCheck = (line: PageLine, paragraph: readonly PageLine[]) => boolean;

/**
 * Creates a check whether a line ends inside a Korean word. Korean lines can end after any letter. Some programs draw a
 * space after the last word of a line, and none inside a word. The lines of pages without such spaces do not show where
 * words end. A line that ends before the right edge of its paragraph ends with a word.
 */
export function createWordCutCheck(lines: readonly PageLine[]): WordCutCheck {
  const ends = new Map<number, { all: number; withSpace: number }>();
  for (const line of lines.filter(endsWithHangul)) {
    const { all = 0, withSpace = 0 } = ends.get(line.page) ?? {};
    ends.set(line.page, { all: all + 1, withSpace: withSpace + (line.hasSpaceAtEnd === true ? 1 : 0) });
  }
  return (line, paragraph) => {
    const { all = 0, withSpace = 0 } = ends.get(line.page) ?? {};
    const showsWordEnds = withSpace > 0 && withSpace >= all * MIN_SPACE_SHARE;
    const isPossible = showsWordEnds && line.hasSpaceAtEnd !== true && endsWithHangul(line);
    return isPossible && line.right > findRightEdge(line, paragraph) - line.size;
  };
}

/** Returns the right edge of the lines of a paragraph that are in the same column as a line. */
function findRightEdge(line: PageLine, paragraph: readonly PageLine[]): number {
  const column = paragraph.filter(
    ({ page, left, right }) => page === line.page && left < line.right && right > line.left,
  );
  return Math.max(...column.map(({ right }) => right));
}

function endsWithHangul(line: Line): boolean {
  return HANGUL_END.test(getLineText(line));
}

/** Holds the text of a paragraph, and the start of each line in that text. */
export interface JoinedLines {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Joins the lines of a paragraph, and rejoins words that are hyphenated or cut at a line end. */
export function joinLinesIntoText(
  lines: readonly PageLine[],
  vocabulary: ReadonlySet<string>,
  endsInsideWord: WordCutCheck,
): JoinedLines {
  const starts: number[] = [];
  let text = '';
  let isWordCut = false;
  let separatesHangul = true;
  for (const line of lines) {
    const next = getLineText(line);
    text =
      text === ''
        ? next
        : isWordCut
          ? joinHyphenatedWord(text, next, vocabulary)
          : text + chooseLineSeparator(text, next, separatesHangul) + next;
    starts.push(text.length - next.length);
    isWordCut = line.hyphenated || /\p{L}[-\u2010]$/u.test(text);
    if (isWordCut && !line.hyphenated) text = text.slice(0, -1);
    separatesHangul = !endsInsideWord(line, lines);
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

function chooseLineSeparator(text: string, next: string, separatesHangul: boolean): string {
  if (!separatesHangul && HANGUL_START.test(next)) return '';
  return SCRIPT_WITHOUT_SPACES_END.test(text.slice(-2)) && SCRIPT_WITHOUT_SPACES_START.test(next) ? '' : ' ';
}
