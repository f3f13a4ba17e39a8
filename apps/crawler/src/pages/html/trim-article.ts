import { getNormalizedText } from './parse-document.js';
import { listPageLinks, listTextBlocks, sumTextLengths, MIN_PROSE_LENGTH, type TextBlock } from './text-blocks.js';

/** Matches hosts that share buttons link to. */
const SHARE_HOST =
  /(?:^|\.)(?:facebook\.com|twitter\.com|x\.com|linkedin\.com|pinterest\.\w+|reddit\.com|whatsapp\.com|wa\.me|t\.me|telegram\.me|tumblr\.com|flipboard\.com|getpocket\.com|vk\.com|ok\.ru|weibo\.com|line\.me|xing\.com|bsky\.app|addtoany\.com)$/;
/** Selects elements whose text is never removed. */
const PROTECTED = 'table, pre, blockquote, dl';
/** Minimum share of links in the text of a link list or a link paragraph. */
const MIN_LINK_SHARE = 0.8;
/** Matches the end of a sentence. A linked title of another page has no such end. */
const SENTENCE_END = /[.!…。][”"')\]]*$/;
/** Matches the end of a sentence that introduces a list. */
const INTRODUCTION_END = /[:：]$/;

/**
 * Removes lists and paragraphs that consist of links to pages of the same site or of share links. Keeps links to other
 * sites, linked sentences, and lists that running text introduces.
 *
 * @param url address of the page
 */
export function trimArticle(root: Element, url: string): void {
  for (const list of [...root.querySelectorAll('ul, ol')].reverse()) {
    const links = listPageLinks(list);
    const linkShare = sumTextLengths(links) / Math.max(1, getNormalizedText(list).length);
    if (links.length > 1 && !hasIntroduction(list) && areNavigationLinks(links, linkShare, url)) list.remove();
  }
  const blocks = listTextBlocks(root);
  const removed = new Set(blocks.filter((block) => isNavigationParagraph(block, url)));
  // The loop starts at the end, so that a heading is checked after the headings of its subsections.
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    if (block !== undefined && isHeadingOfEmptySection(block, at, { blocks, removed })) removed.add(block);
  }
  for (const { element } of removed) element.remove();
}

/** Returns whether running text before a list introduces it. A heading such as "Related:" is too short. */
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

/** Returns whether a text consists of links to pages of the same site or of share links. */
function areNavigationLinks(links: readonly Element[], linkShare: number, url: string): boolean {
  if (links.length === 0 || linkShare < MIN_LINK_SHARE) return false;
  const site = getHostWithoutWww(url, url);
  return links.every((link) => {
    const target = getHostWithoutWww(link.getAttribute('href') ?? '', url);
    return target === undefined || target === site || SHARE_HOST.test(target);
  });
}

/** Returns the host of a URL without `www.`, or undefined for an invalid URL. */
function getHostWithoutWww(url: string, base: string): string | undefined {
  return URL.parse(url, base)?.hostname.replace(/^www\./, '');
}

/** Returns whether a heading has no text left in its section, because the text was removed or the heading is a link. */
function isHeadingOfEmptySection(
  { level, linkShare }: TextBlock,
  at: number,
  { blocks, removed }: { readonly blocks: readonly TextBlock[]; readonly removed: ReadonlySet<TextBlock> },
): boolean {
  if (level === undefined || level === 1) return false;
  let next = at + 1;
  for (let block = blocks[next]; block !== undefined && removed.has(block); block = blocks[next]) next += 1;
  const following = blocks[next];
  const hasText = following !== undefined && (following.level === undefined || following.level > level);
  return !hasText && (next > at + 1 || linkShare >= MIN_LINK_SHARE);
}
