/**
 * Matches, in order of precedence: `3 of 10` in several languages; dates and other numbers with separators; other
 * numbers and Roman numerals.
 */
const NUMBER =
  /\d+\s?(?:\/|of|von|van|de|di|da|do|sur|av|af|z|ze|od|из|من|[页頁]共)\s?\d+(?![\d/])|\d+(?:[.,:/-]\d+)*|\b[ivxlc]+\b/giu;
const OF_TOTAL = /^(\d+)\s?(?:\/|\p{L}+)\s?(\d+)$/u;
/**
 * Matches a year. The year in a date such as `5 March 2024` is ignored, so that the day is beside a single word and
 * does not count as a page number.
 */
const YEAR = /\b(?:19|20)\d\d\b/u;
const MAX_DAY = 31;
const HAS_WORDS = /[\p{L}\p{N}]/u;
const ONE_WORD = /^[^\p{L}\p{N}]*[\p{L}\p{M}'’-]+[^\p{L}\p{N}]*$/u;
const LOWER_CASE_ROMAN = /^[ivxlc]+$/;
/** Matches text before a number that ends with a word for page in one of several languages, such as `Page` or `S.`. */
const PAGE_WORD =
  /(?:^|[^\p{L}\p{N}])(?:pages?|pg|p|seite|s|p[áa]gina|p[áa]g|sida|side|strona|strana|str|стр|страница)[.:]?\s*$/iu;
const MIN_PAGES = 3;
/**
 * Minimum number of pages in an alternating count, which has page numbers of left pages only, or of right pages only.
 */
const MIN_ALTERNATING_PAGES = 2;
/** Minimum share of pages that have a number of a `Count`, among the pages from its first to its last number. */
const MIN_DENSITY = 0.25;
/**
 * Minimum share of all pages that have a number of a `Count`, if the number is beside other words. `Step 3` on a few
 * slides is not a page number.
 */
const MIN_PAGE_SHARE = 0.2;
/**
 * Minimum share of the pages in an alternating count whose previous or next page has a matching page number in another
 * line.
 */
const MIN_FACING_SHARE = 0.5;
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** Replaces each number of a text by `#`. Lines at the edges of pages with the same result can be one running line. */
export function maskNumbers(text: string): string {
  return text.replace(NUMBER, '#');
}

/** Recognizes the page numbers in lines at the edges of pages. */
export interface PageNumberFinder {
  /** Replaces the page numbers of a text by `#`, but no other numbers. */
  maskPageNumbers(text: string, pageIndex: number): string;
  /** Returns whether a number of the text increases by one per page. */
  isCountingPages(text: string, pageIndex: number): boolean;
}

/**
 * Creates a finder of page numbers. A page number increases by one per page, or has the form `3 of 10`. Other numbers,
 * such as `Invoice 1001`, are content.
 *
 * @param pages texts of the lines at the edges of each page
 */
export function createPageNumberFinder(pages: readonly (readonly string[])[]): PageNumberFinder {
  const counts = collectCounts(pages);
  const isCounting = (number: EdgeNumber, pageIndex: number): boolean => {
    const count = counts.get(createCountKey(number, pageIndex));
    if (count === undefined || number.place === 'between words') return false;
    if (count.isAlternating || (count.isDense && number.place === 'labelled')) return true;
    const isFrequent = number.value <= pages.length && count.size >= pages.length * MIN_PAGE_SHARE;
    return number.place === 'beside words' && count.isDense && isFrequent;
  };
  return {
    maskPageNumbers: (text, pageIndex) => {
      const numbers = listNumbers(text);
      let index = 0;
      return text.replace(NUMBER, (written) => {
        const number = numbers[index++];
        if (number === undefined) return written;
        return isPageOfTotal(written, pages.length) || isCounting(number, pageIndex) ? '#' : written;
      });
    },
    isCountingPages: (text, pageIndex) => listNumbers(text).some((number) => isCounting(number, pageIndex)),
  };
}

/**
 * Describes where a number is in its cell of the line. `labelled`: the number is alone, follows a word for page, or has
 * the form `101 of 350`. `in a name`: it is beside a single word, as in `Exhibit 3` or `5 March 2024`. `beside words`:
 * it is before or after other text. `between words`: it has text on both sides.
 */
type NumberPlace = 'labelled' | 'in a name' | 'beside words' | 'between words';

interface EdgeNumber {
  readonly pattern: string;
  /** Position of the number among the numbers of the line. */
  readonly index: number;
  readonly value: number;
  readonly place: NumberPlace;
}

function listNumbers(text: string): readonly EdgeNumber[] {
  const pattern = maskNumbers(text);
  return Array.from(text.matchAll(NUMBER), ({ 0: written, index: at }, index) => ({
    pattern,
    index,
    value: parseNumber(written),
    place: determineNumberPlace(text, at, written),
  }));
}

function determineNumberPlace(text: string, start: number, written: string): NumberPlace {
  const [, page, total] = OF_TOTAL.exec(written) ?? [];
  const before = text.slice(text.lastIndexOf('|', start) + 1, start);
  const [after = ''] = text.slice(start + written.length).split('|');
  if (page === undefined ? PAGE_WORD.test(before) : Number(page) <= Number(total)) return 'labelled';
  if (HAS_WORDS.test(before) && HAS_WORDS.test(after)) return 'between words';
  if (!HAS_WORDS.test(before + after)) return 'labelled';
  const words = before + (Number(written) <= MAX_DAY ? after.replace(YEAR, '') : after);
  return ONE_WORD.test(words) && !LOWER_CASE_ROMAN.test(written) ? 'in a name' : 'beside words';
}

/**
 * Returns the key of the `Count` to which a number on a page belongs. The key is equal for numbers that increase by one
 * per page, at the same place in lines that are equal except for numbers.
 */
function createCountKey({ pattern, index, value }: EdgeNumber, pageIndex: number): string {
  return `${value - pageIndex} ${index} ${pattern}`;
}

/** Describes numbers that increase by one per page, in lines that are equal except for numbers. */
interface Count {
  /** Number of pages that have the numbers. */
  readonly size: number;
  readonly isDense: boolean;
  readonly isAlternating: boolean;
}

/** Returns the counts of all numbers in the texts, by the key from `createCountKey`. */
function collectCounts(pages: readonly (readonly string[])[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, { readonly offset: number; readonly counted: Set<number> }>();
  /**
   * Maps each difference between a number and its page index to the indexes of the pages with such a number at the
   * start or end of a cell. Omits lines without words, because a bare page number does not show that the heads of the
   * facing pages are numbered.
   */
  const pagesOfOffset = new Map<number, Set<number>>();
  for (const [pageIndex, texts] of pages.entries()) {
    for (const number of texts.flatMap(listNumbers)) {
      const offset = number.value - pageIndex;
      if (!Number.isInteger(offset) || number.place === 'between words') continue;
      const key = createCountKey(number, pageIndex);
      const count = counts.get(key) ?? { offset, counted: new Set() };
      counts.set(key, count);
      count.counted.add(pageIndex);
      if (!HAS_WORDS.test(number.pattern)) continue;
      pagesOfOffset.set(offset, (pagesOfOffset.get(offset) ?? new Set()).add(pageIndex));
    }
  }
  const described = [...counts].map(([key, { offset, counted }]) => {
    return [key, describeCount([...counted], pagesOfOffset.get(offset) ?? counted)] as const;
  });
  return new Map(described);
}

/**
 * Describes a count. A count is alternating if it has page numbers of left pages only, or of right pages only, and
 * other lines have the page numbers of the facing pages, as in `1122 Letters` and `Smith et al. 1123`.
 *
 * @param counted indexes of the pages that have a number of the count, in page order
 * @param numbered indexes of all pages with a number that differs from the page index by the same amount as the numbers
 * of the count
 */
function describeCount(counted: readonly number[], numbered: ReadonlySet<number>): Count {
  const [first = 0] = counted;
  const last = counted.at(-1) ?? 0;
  const size = counted.length;
  const facing = counted.filter((page) => numbered.has(page - 1) || numbered.has(page + 1));
  return {
    size,
    isDense: size >= MIN_PAGES && size >= (last - first + 1) * MIN_DENSITY,
    isAlternating:
      size >= MIN_ALTERNATING_PAGES &&
      facing.length >= size * MIN_FACING_SHARE &&
      counted.every((page) => (page - first) % 2 === 0),
  };
}

/** Returns whether a text such as `3 of 10` is the number of a page and the number of pages. */
function isPageOfTotal(written: string, pageCount: number): boolean {
  const [, page = '', total = ''] = OF_TOTAL.exec(written) ?? [];
  return page !== '' && Number(page) >= 1 && Number(page) <= Number(total) && Number(total) <= pageCount;
}

/**
 * Returns the value of a number, of the first number in `3 of 10`, or of a Roman numeral; NaN for other text, such as a
 * date.
 */
function parseNumber(written: string): number {
  const [, page] = OF_TOTAL.exec(written) ?? /^(\d+)$/.exec(written) ?? [];
  if (page !== undefined || /\d/.test(written)) return Number(page ?? NaN);
  const values = Array.from(written.toLowerCase(), (letter) => ROMAN_VALUES[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
