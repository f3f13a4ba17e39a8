import { Readability } from '@mozilla/readability';
import { detectArticleDeclaration, type ArticleDeclaration } from './classify-page.js';
import { getNormalizedText, revealHiddenContent } from './parse-document.js';
import {
  removeArticleBoilerplate,
  removeBylines,
  unwrapHeadingLinks,
  removeNavigation,
  removeNonTextElements,
  removeBoilerplate,
} from './boilerplate.js';
import { trimArticle } from './trim-article.js';
import { listTextBlocks, measureProseLength } from './text-blocks.js';

export interface MainContent {
  readonly root: Element;
  readonly extraction: Extraction;
  readonly textLength: number;
  /** Publication date from the structured data of the page, ISO 8601. */
  readonly published: string | undefined;
  readonly author: string | undefined;
}

interface Article {
  readonly root: Element;
  readonly published: string | undefined;
  readonly author: string | undefined;
}

/** Maximum number of elements of a page for which Readability is used. Readability is slow on large pages. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 200;
const LANDMARKS = ['main', '[role="main"]', 'article', '#main-content', '#content', '#main'];

/** Minimum share of the whole page's text that a `main` element must contain. */
const MIN_LANDMARK_SHARE = 0.05;

/**
 * Extracts the main content of a page, without menus, headers and footers. Replaces an article that is too short by the
 * main element of the page, or by the whole page, because lost text is worse than a remaining menu. Changes the
 * document.
 */
export function extractMainContent(document: Document, url: string): MainContent {
  revealHiddenContent(document);
  const isSimple = !isTooComplexForReadability(document.body);
  const declaration = isSimple ? detectArticleDeclaration(document, url) : undefined;
  if (declaration === 'strong') removeArticleBoilerplate(document.body);
  const article = isSimple ? extractArticleWithReadability(document) : undefined;
  // On short pages, Readability includes navigation.
  if (article !== undefined) removeNavigation(article.root);
  removeNonTextElements(document);
  const landmark = findMainLandmark(document);
  removeBoilerplate(landmark ?? document.body);
  if (declaration === 'strong') removeBylines(landmark ?? document.body);
  const { root, extraction } = chooseMainContent({
    article: article?.root,
    landmark,
    body: document.body,
    declaration,
  });
  if (declaration === 'weak' && extraction === 'article') removeArticleBoilerplate(root);
  const isArticle = extraction === 'article' || (declaration === 'strong' && extraction === 'main_element');
  if (declaration !== undefined && isArticle) removeBylines(root);
  // If only Open Graph declares the page as an article, links to other pages of the site can be the content.
  if (declaration === 'strong' && isArticle) trimArticle(root, url);
  if (extraction === 'article') restoreTitleHeading(root, landmark ?? document.body);
  unwrapHeadingLinks(root);
  return {
    root,
    extraction,
    textLength: getNormalizedText(root).length,
    published: article?.published,
    author: article?.author,
  };
}

/**
 * Restores the first-level heading of an article. Readability removes a heading that equals the title, and changes the
 * level of any other one.
 */
function restoreTitleHeading(article: Element, page: Element): void {
  const [title, ...more] = page.querySelectorAll('h1');
  if (title === undefined || more.length > 0) return;
  const existing = [...article.querySelectorAll('h1, h2')].find(
    (heading) => getNormalizedText(heading) === getNormalizedText(title),
  );
  if (existing === undefined) article.prepend(title.cloneNode(true));
  else existing.replaceWith(title.cloneNode(true));
}

function extractArticleWithReadability(document: Document): Article | undefined {
  try {
    // In linkedom, the clone of a document is a `Document`, although the declared type of `cloneNode` is `Node`.
    const copy = document.cloneNode(true) as Document;
    // Ids of headings come from their text. Readability would remove headings with ids such as `http-headers` and
    // `share-of-voters`.
    for (const heading of copy.querySelectorAll('h1, h2, h3, h4, h5, h6')) heading.removeAttribute('id');
    const read = new Readability<Element>(copy, {
      keepClasses: true,
      // Makes Readability return the element of the article instead of its HTML.
      serializer: (element) => element as Element,
    }).parse();
    if (read?.content == null) return undefined;
    return { root: read.content, published: toIsoDate(read.publishedTime), author: read.byline?.trim() };
  } catch {
    // Readability fails on some pages; the landmark or the whole page is used instead.
    return undefined;
  }
}

/** Finds the element that the page declares as its main content, such as `main`. */
function findMainLandmark(document: Document): Element | undefined {
  const minLength = getNormalizedText(document.body).length * MIN_LANDMARK_SHARE;
  for (const selector of LANDMARKS) {
    const [only, ...more] = document.querySelectorAll(selector);
    if (only !== undefined && more.length === 0 && getNormalizedText(only).length > minLength) return only;
  }
  return undefined;
}

/**
 * Returns whether a page exceeds the limits for Readability. Iterates, because deep nesting would overflow the call
 * stack.
 */
function isTooComplexForReadability(root: Element): boolean {
  let elements = 0;
  const stack: (readonly [Element, number])[] = [[root, 1]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [element, depth] = next;
    elements += 1;
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) return true;
    for (const child of element.children) stack.push([child, depth + 1]);
  }
  return false;
}

/**
 * Converts a date in any format that `Date.parse` accepts to ISO 8601. Returns undefined if the text is not a date with
 * a year.
 */
export function toIsoDate(text: string | null | undefined): string | undefined {
  if (text == null || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/**
 * Lists the methods of extraction: by Readability, by the page's own `main` or `article` element, or the whole page.
 */
export const EXTRACTIONS = ['article', 'main_element', 'whole_page'] as const;
export type Extraction = (typeof EXTRACTIONS)[number];

// docs/decisions/0061-main-content.md and 0083-boilerplate.md explain the choice of the following shares.
/** Minimum share of the `main` element's text that an extracted article must contain. */
const MIN_SHARE_OF_LANDMARK = 0.65;
/** Text length, in characters, from which an article needs only the share `MIN_SHARE_OF_PAGE` of the page's text. */
const LONG_ARTICLE_LENGTH = 500;
const MIN_SHARE_OF_PAGE = 0.35;
const MIN_SHARE_OF_SHORT_PAGE = 0.5;
/**
 * Minimum share of a page's running text that its extracted article must contain, by how clearly the page declares that
 * it is an article.
 */
const MIN_SHARE_OF_PROSE = { strong: 0.55, weak: 0.8 };
/** Minimum share of a text's words that an article must contain to count as containing the text. */
const MIN_SHARE_OF_REPEATED_WORDS = 0.9;
const MIN_PROSE = 300;
const MIN_DOMINANCE = 3;

/** Holds the candidates for the main content of a page. */
export interface Candidates {
  /** The result of Readability; undefined if there is none. */
  readonly article: Element | undefined;
  /** The element that the page declares as its main content; undefined if there is none. */
  readonly landmark: Element | undefined;
  readonly body: Element;
  /** Strength of the declaration of the page that it is an article; undefined if the page does not declare this. */
  readonly declaration: ArticleDeclaration | undefined;
}

/** Chooses the main content of a page. */
export function chooseMainContent({ article, landmark, body, declaration }: Candidates): {
  readonly root: Element;
  readonly extraction: Extraction;
} {
  const page = landmark ?? body;
  const declared = declaration === 'strong' ? findArticleElement(page) : undefined;
  const isComplete =
    article !== undefined &&
    ((declaration !== undefined && containsEnoughProse(article, declared ?? page, MIN_SHARE_OF_PROSE[declaration])) ||
      containsEnoughText(article, page, landmark !== undefined));
  if (isComplete) return { root: article, extraction: 'article' };
  if (declared !== undefined) return { root: declared, extraction: 'main_element' };
  return { root: page, extraction: landmark === undefined ? 'whole_page' : 'main_element' };
}

/**
 * Finds the article element with the most running text. Returns undefined if it has little text, or if another article
 * element has a similar amount of text.
 */
function findArticleElement(page: Element): Element | undefined {
  const candidates = [...page.querySelectorAll('[itemprop~="articleBody"], article')]
    .map((element) => ({ element, prose: measureProseLength(element) }))
    .sort((one, other) => other.prose - one.prose);
  const [first] = candidates;
  if (first === undefined || first.prose < MIN_PROSE) return undefined;
  const isRival = ({ element, prose }: typeof first): boolean =>
    prose * MIN_DOMINANCE > first.prose && !first.element.contains(element);
  return candidates.some(isRival) ? undefined : first.element;
}

/** Returns whether an article contains enough of the running text of an element, and as many data tables. */
function containsEnoughProse(article: Element, element: Element, minShare: number): boolean {
  const found = measureProseLength(article);
  const missing = measureMissingProseLength(article, element);
  const isEnough = found >= MIN_PROSE && found >= (found + missing) * minShare;
  return isEnough && countDataTables(article) >= countDataTables(element);
}

/**
 * Returns the length of the running text of an element that an article lacks. Excludes repetitions, and list items that
 * link to a page.
 */
function measureMissingProseLength(article: Element, element: Element): number {
  const words = new Set(splitIntoWords(getNormalizedText(article)));
  const missing = listTextBlocks(element).filter(({ isProse, text, links, element: { localName } }) => {
    if (!isProse || (localName === 'li' && links.length > 0)) return false;
    const all = splitIntoWords(text);
    return all.filter((word) => words.has(word)).length < all.length * MIN_SHARE_OF_REPEATED_WORDS;
  });
  return [...new Set(missing.map(({ text }) => text))].reduce((sum, text) => sum + text.length, 0);
}

function splitIntoWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Returns whether an article contains enough of the page's text and as many data tables, but no more text than the
 * page.
 */
function containsEnoughText(article: Element, page: Element, isLandmark: boolean): boolean {
  const [found, whole] = [getNormalizedText(article).length, getNormalizedText(page).length];
  const minShareOfBody = found >= LONG_ARTICLE_LENGTH ? MIN_SHARE_OF_PAGE : MIN_SHARE_OF_SHORT_PAGE;
  const minLength = whole * (isLandmark ? MIN_SHARE_OF_LANDMARK : minShareOfBody);
  return found > 0 && found >= minLength && found <= whole && countDataTables(article) >= countDataTables(page);
}

/**
 * Counts data tables. Readability removes tables with little text, such as those of product properties. Tables of one
 * or two rows are often used for layout, so they do not count.
 */
function countDataTables(root: Element): number {
  const tables = [...root.querySelectorAll('table')];
  return tables.filter((table) => table.querySelector('th') !== null && table.querySelectorAll('tr').length > 2).length;
}
