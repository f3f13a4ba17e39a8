import { createHash } from 'node:crypto';

/**
 * Minimum number of pages that contain a repeated block. A block counts as repeated once this many pages contain it,
 * and at least `MIN_SHARE_OF_PAGES` of all pages. The first four pages keep the block, so that searches can find it.
 */
const MIN_PAGES = 5;
/** Minimum share of pages that contain a repeated block, among the pages that the crawl has read so far. */
const MIN_SHARE_OF_PAGES = 0.3;
/**
 * Minimum share of a page's text that must remain. If less would remain, the page is not changed, because pages that
 * share most of their text are versions of each other.
 */
const MIN_SHARE_OF_TEXT = 0.5;
/**
 * Maximum number of blocks that are counted per site. The first pages of a site already contain the blocks of its
 * template.
 */
const MAX_BLOCKS = 5_000;

/**
 * Matches a block of Markdown: fenced code, or text up to an empty line. Code without an end fence ends with the text
 * (CommonMark 4.5). This also bounds the search for end fences: the text is searched at most once.
 */
const BLOCK = /^(`{3,})[^`\n]*\n(?:[\s\S]*?^\1`* *$|[\s\S]*)|[^\n]+(?:\n(?!`{3})[^\n]+)*/gm;
/** Matches the start of blocks that are never removed: headings, tables, code, quotations and indented text. */
const PROTECTED = /^(?:#|\||`{3}|>|\s)/;

/**
 * Counts the paragraphs and lists on the pages of a site during one crawl. Removes the paragraphs and lists that repeat
 * on many pages, such as newsletter forms and descriptions of the company.
 */
export class RepeatedBlocks {
  readonly #pagesOfBlock = new Map<string, number>();
  #pages = 0;

  /** Counts the blocks of a page, and returns its Markdown without the blocks that repeat on many pages. */
  removeRepetitions(markdown: string): string {
    this.#pages += 1;
    const blocks = [...markdown.matchAll(BLOCK)].map(([block]) => block);
    const hashes = new Map(blocks.filter((block) => !PROTECTED.test(block)).map((block) => [block, hashBlock(block)]));
    for (const hash of new Set(hashes.values())) this.#countBlock(hash);
    const remaining = blocks.filter((block) => !this.#isRepeated(hashes.get(block)));
    const result = remaining.join('\n\n');
    return remaining.length === blocks.length || result.length < markdown.length * MIN_SHARE_OF_TEXT
      ? markdown
      : result;
  }

  #countBlock(hash: string): void {
    const count = this.#pagesOfBlock.get(hash);
    if (count !== undefined || this.#pagesOfBlock.size < MAX_BLOCKS) this.#pagesOfBlock.set(hash, (count ?? 0) + 1);
  }

  #isRepeated(hash: string | undefined): boolean {
    const count = hash === undefined ? 0 : (this.#pagesOfBlock.get(hash) ?? 0);
    return count >= MIN_PAGES && count >= this.#pages * MIN_SHARE_OF_PAGES;
  }
}

function hashBlock(block: string): string {
  return createHash('sha256').update(block).digest('base64url').slice(0, 12);
}
