/** Matches `3 of 10`, then dates and other numbers with separators, then numbers and Roman numerals. */
const NUMBER = /\d+\s?(?:\/|\p{L}+)\s?\d+(?![\d/])|\d+(?:[.,:/-]\d+)*|\b[ivxlc]+\b/giu;
const OF_TOTAL = /^(\d+)\s?(?:\/|\p{L}+)\s?(\d+)$/u;
/** Match the text before and after a number that is alone in a cell of the line, such as `- 12 -`. */
const ALONE_BEFORE = /(?:^|\|)[^\p{L}\p{N}|]*$/u;
const ALONE_AFTER = /^[^\p{L}\p{N}|]*(?:$|\|)/u;
/** Matches text before a number that ends with a word for page in one of several languages, such as `Page` or `S.`. */
const PAGE_WORD =
  /(?:^|[^\p{L}\p{N}])(?:pages?|pg|p|seite|s|p[áa]gina|p[áa]g|sida|side|strona|strana|str|стр|страница)[.:]?\s*$/iu;
const MIN_PAGES = 3;
/** Minimum share of the pages from the first to the last number of a count that have a number of the count. */
const MIN_DENSITY = 0.25;
/** Minimum share of the pages that a number beside other words counts. `Step 3` on a few slides is not a page number. */
const MIN_PAGE_SHARE = 0.2;
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** Replaces each number of a text by `#`. Lines at the edges of pages with the same result can be one running line. */
export function maskNumbers(text: string): string {
  return text.replace(NUMBER, '#');
}

/**
 * Returns a function that replaces only the page numbers of a text by `#`. A page number increases by one per page, or
 * has the form `3 of 10`. Other numbers, such as `Invoice 1001`, are content.
 *
 * @param pages texts of the lines at the edges of each page
 */
export function createPageNumberMasker(
  pages: readonly (readonly string[])[],
): (text: string, pageIndex: number) => string {
  const pagesOfCount = collectPages(pages);
  const isCounting = (number: EdgeNumber, pageIndex: number): boolean => {
    const counted = pagesOfCount.get(formatCount(number, pageIndex)) ?? [];
    const span = (counted.at(-1) ?? 0) - (counted[0] ?? 0) + 1;
    if (counted.length < MIN_PAGES || counted.length < span * MIN_DENSITY) return false;
    return number.isLabelled || (number.value <= pages.length && counted.length >= pages.length * MIN_PAGE_SHARE);
  };
  return (text, pageIndex) => {
    const numbers = listNumbers(text);
    let index = 0;
    return text.replace(NUMBER, (written) => {
      const number = numbers[index++];
      if (number === undefined) return written;
      return isPageOfTotal(written, pages.length) || isCounting(number, pageIndex) ? '#' : written;
    });
  };
}

interface EdgeNumber {
  readonly pattern: string;
  /** Position of the number among the numbers of the line. */
  readonly index: number;
  readonly value: number;
  /** True if the number is alone in its cell, follows a word for page, or has the form `101 of 350`. */
  readonly isLabelled: boolean;
}

function listNumbers(text: string): readonly EdgeNumber[] {
  const pattern = maskNumbers(text);
  return Array.from(text.matchAll(NUMBER), ({ 0: written, index: at }, index) => ({
    pattern,
    index,
    value: parseNumber(written),
    isLabelled: isLabelled(text, at, written),
  }));
}

function isLabelled(text: string, start: number, written: string): boolean {
  const [, page, total] = OF_TOTAL.exec(written) ?? [];
  if (page !== undefined) return Number(page) <= Number(total);
  const before = text.slice(0, start);
  return PAGE_WORD.test(before) || (ALONE_BEFORE.test(before) && ALONE_AFTER.test(text.slice(start + written.length)));
}

/** Returns the same text for the numbers of consecutive pages that count the pages. */
function formatCount({ pattern, index, value }: EdgeNumber, pageIndex: number): string {
  return `${value - pageIndex} ${index} ${pattern}`;
}

/** Maps each result of `formatCount` to the indexes of the pages that have it, in page order. */
function collectPages(pages: readonly (readonly string[])[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [pageIndex, texts] of pages.entries()) {
    const integers = texts.flatMap(listNumbers).filter(({ value }) => Number.isInteger(value));
    for (const count of new Set(integers.map((number) => formatCount(number, pageIndex)))) {
      const indexes = found.get(count);
      if (indexes === undefined) found.set(count, [pageIndex]);
      else indexes.push(pageIndex);
    }
  }
  return found;
}

/** Returns whether a text such as `3 of 10` is the number of a page and the number of pages. */
function isPageOfTotal(written: string, pageCount: number): boolean {
  const [, page = '', total = ''] = OF_TOTAL.exec(written) ?? [];
  return page !== '' && Number(page) >= 1 && Number(page) <= Number(total) && Number(total) <= pageCount;
}

/** Returns the value of a number, of the page in `3 of 10`, or of a Roman numeral; NaN for other text, such as a date. */
function parseNumber(written: string): number {
  const [, page] = OF_TOTAL.exec(written) ?? /^(\d+)$/.exec(written) ?? [];
  if (page !== undefined || /\d/.test(written)) return Number(page ?? NaN);
  const values = Array.from(written.toLowerCase(), (letter) => ROMAN_VALUES[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
