import { getNormalizedText } from './parse-document.js';
import { measureProseLength } from './text-blocks.js';

/** Selects elements that never contain the text of a page. */
const NON_TEXT =
  'script, style, noscript, template, object, embed, canvas, svg, iframe, input:not([type="checkbox"]), select, textarea, button, dialog';
const HIDDEN = '[hidden], [aria-hidden="true"]';
/**
 * Selects main content. Hidden main content is kept, because a script shows it later or removes a banner in front of
 * it.
 */
const MAIN_CONTENT = 'main, [role="main"], article, h1';
/** Selects navigation, banners and dialogs. */
const NAVIGATION =
  'nav, [role="navigation"], [role="search"], [role="banner"], [role="contentinfo"], [role="dialog"], [aria-label="breadcrumb" i], .breadcrumb, .breadcrumbs, .skip-link, #cookie-banner, .cookie-banner, .cookie-consent, #cookie-consent, .sr-only, .visually-hidden';
/** Selects page headers, footers and asides. They are boilerplate unless they are inside the main content. */
const PAGE_SECTIONS = 'header, footer, aside, [role="complementary"]';
const LINE_NUMBERS = 'td.gutter, td.blob-num, .linenos, .lineno, .line-numbers-rows, .linenodiv';
const MAX_LINK_SHARE = 0.5;

/** Removes elements without text, hidden elements and line numbers. */
export function removeNonTextElements(root: Document | Element): void {
  removeMatchingElements(root, NON_TEXT);
  for (const element of root.querySelectorAll(HIDDEN)) {
    if (!element.matches(MAIN_CONTENT) && element.querySelector(MAIN_CONTENT) === null) element.remove();
  }
  removeMatchingElements(root, LINE_NUMBERS);
}

/**
 * Removes navigation. Removes headers, footers and asides if they are outside the main content or consist mostly of
 * links.
 */
export function removeBoilerplate(root: Element): void {
  removeNavigation(root);
  for (const element of root.querySelectorAll(PAGE_SECTIONS)) {
    const isPartOfContent = element.closest('article, main, [role="main"]') !== null || isMainContentElement(root);
    if (!isPartOfContent || isMostlyLinks(element)) element.remove();
  }
}

/** Removes menus, search fields and banners, also inside the main content. */
export function removeNavigation(root: Element): void {
  removeMatchingElements(root, NAVIGATION);
}

function isMainContentElement(root: Element): boolean {
  return root.matches('article, main, [role="main"]');
}

function isMostlyLinks(element: Element): boolean {
  const all = getNormalizedText(element).length;
  const linked = [...element.querySelectorAll('a')].reduce((sum, link) => sum + getNormalizedText(link).length, 0);
  return linked > all * MAX_LINK_SHARE;
}

/** Replaces the links in headings by their text, and removes links that only mark an anchor, such as `¶` and `#`. */
export function unwrapHeadingLinks(root: Element): void {
  for (const link of root.querySelectorAll('h1 a, h2 a, h3 a, h4 a, h5 a, h6 a')) {
    const isAnchorMark =
      !/[\p{L}\p{N}]/u.test(getNormalizedText(link)) ||
      /^(permalink|link to|direct link)/i.test(getNormalizedText(link));
    if (isAnchorMark) link.remove();
    else link.replaceWith(...link.childNodes);
  }
}

function removeMatchingElements(root: Document | Element, selector: string): void {
  for (const element of root.querySelectorAll(selector)) element.remove();
}

/** Selects elements that contain the article. They are never removed because of their class names or ids. */
const ARTICLE = 'h1, main, article, [role="main"], [itemprop~="articleBody"]';
/**
 * Selects code. It is never removed, because syntax highlighters mark its parts with class names such as `comment`,
 * which look like boilerplate.
 */
const CODE = 'pre, code';
/**
 * Selects code blocks. An element that contains one is never removed because of its class name or id, unless these mark
 * reader comments.
 */
const CODE_BLOCK = 'pre';
/**
 * Maximum share of the page's running text that an element may contain to be removed because of its class name or id.
 */
const MAX_SHARE_OF_PROSE = 0.3;
/**
 * Minimum length, in characters, of the running text that must remain when reader comments are removed. It is no share
 * of the page, because the comments may be longer than the article.
 */
const MIN_PROSE_OUTSIDE_COMMENTS = 300;

/** Selects tables, code blocks and quotations. Their captions belong to the text, unlike captions of pictures. */
const DESCRIBED = 'table, pre, blockquote';
const HEADING = /^h[1-6]$/;
/**
 * Matches class names that style descendants or states, such as `[&>figcaption]:text-sm`, or contain data. Such names
 * do not describe the element.
 */
const UTILITY_CLASS = /[:=[\]]/;

/** Matches the first word of class names and ids that mark reader comments. */
const COMMENTS = /^(?:comments?|disqus|livefyre|respond|coral)$/;
/**
 * Matches the second word of class names and ids that describe a state and mark no comments, such as `comments-open` on
 * the body of a page.
 */
const COMMENT_STATE = /^(?:open|closed|on|off)$/;
/**
 * Lists words in class names and ids that mark boilerplate. The words are English on pages in all languages, because
 * they come from content management systems, frameworks and advertising networks.
 */
const BOILERPLATE_WORDS = new Set(
  [
    'share sharing sharedaddy shares social socials addthis addtoany followus',
    'related recommended recommendations recommend recirc recirculation trending popular mostread mostpopular readnext upnext',
    'outbrain taboola zergnet yarpp promo promos promotion sponsor sponsored advert adverts advertisement advertising ads',
    'newsletter newsletters subscribe subscription signup mailchimp cookie cookies consent gdpr paywall',
    'bio biography breadcrumb breadcrumbs pagination pager',
    'caption captions figcaption credit credits copyright',
    'rollover flyout popup modal tooltip offscreen',
  ].flatMap((words) => words.split(' ')),
);
/** Matches pairs of words in class names and ids that mark boilerplate. */
const BOILERPLATE_PAIRS =
  /\b(?:(?:author|about) (?:bio|box|info|author|card|profile|name)|post (?:nav|navigation|meta|date)|entry (?:meta|date)|article (?:meta|date|info|author)|tag (?:list|cloud|links)|most (?:read|popular|viewed)|more (?:stories|articles|news|from)|read (?:more|next|also)|also (?:on|read|like)|up next|sign up|off screen|sr only|print only|screen reader|prev next)\b/;
/** Lists words in class names and ids that mark the line with the author and the date. */
const BYLINE_WORDS = new Set(['byline', 'bylines', 'dateline', 'timestamp']);
/** Matches the first word of class names and ids that describe a state or layout of the whole article. */
const STATE = /^(?:has|is|no|with|without|hide|js|show|enable|disable|single)$/;
/**
 * Matches the start of a numbered caption, such as `Figure 2.` in any language. Such captions are kept, because the
 * text can refer to them.
 */
const NUMBERED_CAPTION = /^\p{L}+\.?\s?\d{1,3}(?:[.:]|\s|$)/u;

/** Removes the lines with the author and the date of an article. */
export function removeBylines(root: Element): void {
  const maxProse = measureProseLength(root) * MAX_SHARE_OF_PROSE;
  for (const element of root.querySelectorAll('[class], [id]')) {
    if (!splitClassNamesAndId(element).some((words) => words.some((word) => BYLINE_WORDS.has(word)))) continue;
    if (!containsArticle(element) && measureProseLength(element) <= maxProse) element.remove();
  }
}

/**
 * Removes reader comments, unnumbered captions of pictures, and elements whose class name or id marks boilerplate, such
 * as share buttons. Use it only for pages whose main content is an article.
 */
export function removeArticleBoilerplate(root: Element): void {
  const prose = measureProseLength(root);
  for (const element of root.querySelectorAll('[class], [id], figcaption')) {
    const names = splitClassNamesAndId(element);
    const isComments = names.some(isCommentsSectionName);
    if (!isComments && element.localName !== 'figcaption' && !names.some(isBoilerplateElementName)) continue;
    // The list also contains descendants of elements that were already removed.
    if (!root.contains(element) || element.closest(CODE) !== null || containsArticle(element)) continue;
    if (NUMBERED_CAPTION.test(getNormalizedText(element)) || isCaptionOfText(element)) continue;
    if (!isComments && (element.querySelector(CODE_BLOCK) !== null || isLinkInProse(element))) continue;
    const maxProse = isComments ? prose - MIN_PROSE_OUTSIDE_COMMENTS : prose * MAX_SHARE_OF_PROSE;
    if (measureProseLength(element) <= maxProse) element.remove();
  }
}

function containsArticle(element: Element): boolean {
  return element.matches(ARTICLE) || element.querySelector(ARTICLE) !== null;
}

/**
 * Returns whether an element is a link in running text. The class name of such a link is no mark of boilerplate, but
 * describes how the link opens, such as in a popup.
 */
function isLinkInProse(element: Element): boolean {
  const paragraph = element.localName === 'a' ? element.closest('p') : null;
  return paragraph !== null && measureProseLength(paragraph) > 0;
}

/** Returns whether an element is the caption of a table, a code block or a quotation. */
function isCaptionOfText(element: Element): boolean {
  return element.localName === 'caption' || element.closest('figure')?.querySelector(DESCRIBED) != null;
}

function isCommentsSectionName([first = '', second = '']: readonly string[]): boolean {
  return COMMENTS.test(first) && !COMMENT_STATE.test(second);
}

function isBoilerplateElementName(words: readonly string[]): boolean {
  if (STATE.test(words[0] ?? '')) return false;
  return words.some((word) => BOILERPLATE_WORDS.has(word)) || BOILERPLATE_PAIRS.test(words.join(' '));
}

/**
 * Splits each class name and the id of an element into lower-case words. Omits names that do not describe the element:
 * utility classes, and ids of headings, which content management systems create from the text.
 */
function splitClassNamesAndId(element: Element): readonly (readonly string[])[] {
  const classNames = (element.getAttribute('class') ?? '').split(/\s+/).filter((name) => !UTILITY_CLASS.test(name));
  const names = HEADING.test(element.localName) ? classNames : [...classNames, element.id];
  return names.map((name) =>
    name
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== ''),
  );
}
