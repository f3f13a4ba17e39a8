import { getNormalizedText } from './parse-document.js';
import { listPageLinks, listTextBlocks, sumTextLengths, MIN_PROSE_LENGTH, type TextBlock } from './text-blocks.js';

/** Matches the hosts to which share buttons link. */
const SHARE_HOST =
  /(?:^|\.)(?:facebook\.com|twitter\.com|x\.com|linkedin\.com|pinterest\.\w+|reddit\.com|whatsapp\.com|wa\.me|t\.me|telegram\.me|tumblr\.com|flipboard\.com|getpocket\.com|vk\.com|ok\.ru|weibo\.com|line\.me|xing\.com|bsky\.app|addtoany\.com)$/;
/** Selects elements whose text is never removed. */
const PROTECTED = 'table, pre, blockquote, dl';
/** Minimum share of linked text in a list or paragraph that may be removed. */
const MIN_LINK_SHARE = 0.8;
/**
 * Maximum share of the removable blocks in the text of an article. If the share is greater, the page is a list of
 * links, which are its content, and nothing is removed.
 */
const MAX_SHARE_OF_LINKS = 0.3;
/** Matches the end of a sentence. A linked title of another page has no such end. */
const SENTENCE_END = /[.!…。][”"')\]]*$/;
/** Matches the end of a sentence that introduces a list. */
const INTRODUCTION_END = /[:：]$/;

/**
 * Removes the lists and paragraphs of an article that consist of share links or of links to pages of the same site.
 * Also removes headings of sections that are then empty. Keeps links to other sites, linked sentences, and lists that
 * running text introduces.
 *
 * @param url address of the page
 */
export function trimArticle(root: Element, url: string): void {
  const lists = new Set([...root.querySelectorAll('ul, ol')].filter((list) => isNavigationList(list, url)));
  const all = listTextBlocks(root);
  const navigation = all.filter((block) => isInsideAny(block.element, lists) || isNavigationParagraph(block, url));
  if (sumBlockLengths(navigation) > sumBlockLengths(all) * MAX_SHARE_OF_LINKS) return;
  for (const list of lists) list.remove();
  const blocks = listTextBlocks(root);
  const removed = new Set(blocks.filter((block) => isNavigationParagraph(block, url)));
  // The loop starts at the end, so that a heading is checked after the headings of its subsections.
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    if (block !== undefined && isHeadingOfEmptySection(block, at, { blocks, removed, url })) removed.add(block);
  }
  for (const { element } of removed) element.remove();
}

function sumBlockLengths(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

function isInsideAny(element: Element | null, elements: ReadonlySet<Element>): boolean {
  return element !== null && (elements.has(element) || isInsideAny(element.parentElement, elements));
}

function isNavigationList(list: Element, url: string): boolean {
  const links = listPageLinks(list);
  const linkShare = sumTextLengths(links) / Math.max(1, getNormalizedText(list).length);
  return links.length > 1 && !hasIntroduction(list) && areNavigationLinks(links, linkShare, url);
}

/**
 * Returns whether the element before a list introduces the list. Its text must have at least `MIN_PROSE_LENGTH`
 * characters and end with a colon. A heading such as "Related:" is too short.
 */
function hasIntroduction(list: Element): boolean {
  const before = getNormalizedText(list.previousElementSibling);
  return before.length >= MIN_PROSE_LENGTH && INTRODUCTION_END.test(before);
}

function isNavigationParagraph(
  { element, text, isContainer, level, links, linkShare }: TextBlock,
  url: string,
): boolean {
  if (isContainer || level !== undefined || element.localName === 'li' || element.closest(PROTECTED) !== null)
    return false;
  if (SENTENCE_END.test(text)) return false;
  return areNavigationLinks(links, linkShare, url);
}

/** Returns whether a text consists of share links or of links to pages of the same site. */
function areNavigationLinks(links: readonly Element[], linkShare: number, url: string): boolean {
  if (links.length === 0 || linkShare < MIN_LINK_SHARE) return false;
  const site = getHostWithoutWww(url, url);
  return links.every((link) => {
    const href = link.getAttribute('href') ?? '';
    const target = getHostWithoutWww(href, url);
    return !isSamePageLink(href, url) && (target === undefined || target === site || SHARE_HOST.test(target));
  });
}

/** Returns whether a link leads to a place of the same page, such as a footnote. Its URL can be absolute. */
function isSamePageLink(href: string, url: string): boolean {
  const [target, page] = [URL.parse(href, url), URL.parse(url)];
  if (target === null || page === null || target.hash === '') return false;
  return target.origin === page.origin && target.pathname === page.pathname && target.search === page.search;
}

/** Returns the host of a URL without `www.`, or undefined for an invalid URL. */
function getHostWithoutWww(url: string, base: string): string | undefined {
  return URL.parse(url, base)?.hostname.replace(/^www\./, '');
}

/** Holds the blocks of an article, those that are removed, and the address of the page. */
interface Trimming {
  readonly blocks: readonly TextBlock[];
  readonly removed: ReadonlySet<TextBlock>;
  readonly url: string;
}

/**
 * Returns whether the section of a heading has no text, because its text was removed, or because the heading is only a
 * link to a page of the same site.
 */
function isHeadingOfEmptySection(
  { level, links, linkShare }: TextBlock,
  at: number,
  { blocks, removed, url }: Trimming,
): boolean {
  if (level === undefined || level === 1) return false;
  let next = at + 1;
  for (let block = blocks[next]; block !== undefined && removed.has(block); block = blocks[next]) next += 1;
  const following = blocks[next];
  const hasText = following !== undefined && (following.level === undefined || following.level > level);
  return !hasText && (next > at + 1 || areNavigationLinks(links, linkShare, url));
}
