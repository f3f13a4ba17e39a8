import type { PageWord } from './page-words.js';

/** Describes a passage that Quarry has read, which is compared with the words that poppler finds in the document. */
export interface Passage {
  readonly text: string;
  /** Number of characters at the start of the text that repeat the previous passage. */
  readonly repeated: number;
  /** Number of the page on which Quarry locates the passage, starting at 1; null if the document has no pages. */
  readonly page: number | null;
  /** Areas of the passage on its pages, in the form of `Fragment.rectangles` of the document reader. */
  readonly rectangles: readonly number[];
}

export interface PassageScore {
  readonly hasRightPage: boolean;
  /** Share of the passage's words that are inside its rectangles. */
  readonly recall: number;
  /** Share of the words inside the rectangles that belong to the passage. */
  readonly precision: number;
  readonly rectangles: number;
}

const UNITS = 10_000;
/** Number of words at the start of a passage that are compared with each page to find the page of the passage. */
const OPENING_WORDS = 8;
/**
 * Number of words that replaces `OPENING_WORDS` for a passage that is a table. It is larger, because tables often have
 * the same headers on several pages.
 */
const OPENING_WORDS_OF_TABLE = 40;
/**
 * Number of characters at the start of a passage that are searched for a `|`, which marks a table. A heading or a label
 * may precede the table.
 */
const TABLE_CHARACTERS = 200;
/**
 * Minimum share of the area of a word's box that a rectangle must cover, so that the word counts as inside. It is below
 * 1, because poppler's boxes have the height of the font, while Quarry's rectangles have the height of the letters.
 */
const MIN_INSIDE = 0.5;

/** Scores the page and the rectangles of a passage against the words that poppler reads on each page. */
export function scorePassage(passage: Passage, pages: readonly (readonly PageWord[])[]): PassageScore {
  const rectangles = decodeRectangles(passage.rectangles);
  const expected = countTokens(tokenize(passage.text));
  const numbers = new Set([...rectangles.map(({ page }) => page), passage.page ?? 1]);
  const present = new Map<string, number>();
  const inside = new Map<string, number>();
  for (const number of numbers) {
    const onPage = rectangles.filter(({ page }) => page === number);
    for (const { token, words } of joinHyphenatedWords(pages[number - 1] ?? [], expected)) {
      incrementCount(present, token);
      if (words.every((word) => onPage.some((rectangle) => isWordInsideRectangle(word, rectangle))))
        incrementCount(inside, token);
    }
  }
  let [needed, found] = [0, 0];
  for (const [token, count] of expected) {
    // A token counts at most as often as the pages contain it, because Quarry repeats the text of a header cell for
    // each column that the cell spans.
    const visible = Math.min(count, present.get(token) ?? count);
    needed += visible;
    found += Math.min(visible, inside.get(token) ?? 0);
  }
  const covered = Array.from(inside.values()).reduce((sum, count) => sum + count, 0);
  const hasRightPage = passage.page !== null && findPagesOfPassage(passage, pages).includes(passage.page);
  return {
    hasRightPage,
    recall: needed === 0 ? 1 : found / needed,
    precision: covered === 0 ? 1 : found / covered,
    rectangles: rectangles.length,
  };
}

/**
 * Returns the numbers of the pages that best match the first words of a passage, several if they match equally.
 * Compares sequences of three words, or single words in a table, because poppler reads table cells in another order.
 * Sequences that occur on few pages have more weight.
 */
function findPagesOfPassage({ text, repeated }: Passage, pages: readonly (readonly PageWord[])[]): readonly number[] {
  const added = text.slice(repeated);
  const isTable = added.slice(0, TABLE_CHARACTERS).includes('|');
  const list = isTable ? (tokens: readonly string[]): readonly string[] => tokens : listWordSequences;
  const opening = new Set(list(tokenize(added).slice(0, isTable ? OPENING_WORDS_OF_TABLE : OPENING_WORDS)));
  const found = pages.map((words) => new Set(list(words.flatMap(({ text: word }) => tokenize(word)))));
  const weights = new Map(
    Array.from(opening, (item) => [item, Math.log(1 + pages.length / found.filter((on) => on.has(item)).length)]),
  );
  const scores = found.map((on) =>
    Array.from(opening).reduce((sum, item) => sum + (on.has(item) ? (weights.get(item) ?? 0) : 0), 0),
  );
  const best = Math.max(...scores);
  return scores.flatMap((score, index) => (score === best ? [index + 1] : []));
}

/** Returns all sequences of three consecutive tokens; the tokens themselves if there are fewer than three. */
function listWordSequences(tokens: readonly string[]): readonly string[] {
  if (tokens.length < 3) return tokens;
  return tokens.slice(2).map((_, index) => tokens.slice(index, index + 3).join(' '));
}

interface PlacedToken {
  readonly token: string;
  readonly words: readonly PageWord[];
}

/**
 * Returns the tokens of a page. Joins the parts of a word that is hyphenated over a line end if the passage contains
 * the whole word.
 */
function joinHyphenatedWords(
  words: readonly PageWord[],
  expected: ReadonlyMap<string, number>,
): readonly PlacedToken[] {
  const tokens: PlacedToken[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [word, next] = [words[index], words[index + 1]];
    if (word === undefined) break;
    const [joined = '', ...more] =
      next === undefined ? [] : tokenize(word.text.replace(/[-\u2010\u00ad]$/, '') + next.text);
    const isJoined = word.endsLine && /[-\u2010\u00ad]$/.test(word.text) && expected.has(joined);
    if (isJoined && next !== undefined) {
      tokens.push({ token: joined, words: [word, next] }, ...more.map((token) => ({ token, words: [next] })));
      index += 1;
    } else tokens.push(...tokenize(word.text).map((token) => ({ token, words: [word] })));
  }
  return tokens;
}

function tokenize(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

function countTokens(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) incrementCount(counts, token);
  return counts;
}

function incrementCount(counts: Map<string, number>, token: string): void {
  counts.set(token, (counts.get(token) ?? 0) + 1);
}

type Rectangle = Omit<PageWord, 'text' | 'endsLine'> & { readonly page: number };

function decodeRectangles(numbers: readonly number[]): readonly Rectangle[] {
  return Array.from({ length: numbers.length / 5 }, (_, index) => {
    const [page = 0, x = 0, y = 0, width = 0, height = 0] = numbers.slice(index * 5, index * 5 + 5);
    return { page, left: x / UNITS, top: y / UNITS, right: (x + width) / UNITS, bottom: (y + height) / UNITS };
  });
}

function isWordInsideRectangle(word: PageWord, { left, right, top, bottom }: Rectangle): boolean {
  const width = Math.min(word.right, right) - Math.max(word.left, left);
  const height = Math.min(word.bottom, bottom) - Math.max(word.top, top);
  if (width <= 0 || height <= 0) return false;
  return width * height >= MIN_INSIDE * (word.right - word.left) * (word.bottom - word.top);
}
