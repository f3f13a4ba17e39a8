import { Readability } from '@mozilla/readability';
import { findArticleEvidence } from './classify-page.js';
import { type Extraction, chooseRoot } from './choose-root.js';
import { getNormalizedText } from './parse-document.js';
import { removeArticleBoilerplate, removeBylines } from './article-boilerplate.js';
import { removeHeadingLinks, removeNavigation, removeNonText, removeBoilerplate } from './boilerplate.js';
import { revealHiddenContent } from './reveal-hidden-content.js';
import { trimArticle } from './trim-article.js';

export interface MainContent {
  readonly root: Element;
  readonly extraction: Extraction;
  readonly textLength: number;
  /** ISO 8601, from the structured data of the page. */
  readonly published: string | undefined;
  readonly author: string | undefined;
}

interface Article {
  readonly root: Element;
  readonly published: string | undefined;
  readonly author: string | undefined;
}

/** Limits for Readability, which is slow on large and deeply nested pages. Above them, it is not used. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 200;
const LANDMARKS = ['main', '[role="main"]', 'article', '#main-content', '#content', '#main'];

/** Minimum share of the whole page's text that a `main` element must contain. */
const MIN_LANDMARK_SHARE = 0.05;

/**
 * Extracts the main content of a page, without menus, headers and footers. Lost text is worse than a remaining menu: an article
 * that is too short is replaced by the main element of the page, or by the whole page. Changes the document.
 */
export function extractMainContent(document: Document, url: string): MainContent {
  revealHiddenContent(document);
  const isSimple = !isTooComplex(document.body);
  const evidence = isSimple ? findArticleEvidence(document, url) : undefined;
  if (evidence === 'strong') removeArticleBoilerplate(document.body);
  const article = isSimple ? readArticle(document) : undefined;
  // On short pages, Readability includes navigation.
  if (article !== undefined) removeNavigation(article.root);
  removeNonText(document);
  const landmark = findLandmark(document);
  removeBoilerplate(landmark ?? document.body);
  if (evidence === 'strong') removeBylines(landmark ?? document.body);
  const { root, extraction } = chooseRoot({ article: article?.root, landmark, body: document.body, evidence });
  if (evidence === 'weak' && extraction === 'article') removeArticleBoilerplate(root);
  const isArticle = extraction === 'article' || (evidence === 'strong' && extraction === 'main_element');
  if (evidence !== undefined && isArticle) {
    removeBylines(root);
    trimArticle(root, url);
  }
  if (extraction === 'article') restoreTitle(root, landmark ?? document.body);
  removeHeadingLinks(root);
  return {
    root,
    extraction,
    textLength: getNormalizedText(root).length,
    published: article?.published,
    author: article?.author,
  };
}

/** Restores the first-level heading in an article. Readability removes it if it equals the title, else changes its level. */
function restoreTitle(article: Element, page: Element): void {
  const [title, ...more] = page.querySelectorAll('h1');
  if (title === undefined || more.length > 0) return;
  const existing = [...article.querySelectorAll('h1, h2')].find(
    (heading) => getNormalizedText(heading) === getNormalizedText(title),
  );
  if (existing === undefined) article.prepend(title.cloneNode(true));
  else existing.replaceWith(title.cloneNode(true));
}

function readArticle(document: Document): Article | undefined {
  try {
    // linkedom clones a document to a document; the type of cloneNode is only Node.
    const copy = document.cloneNode(true) as Document;
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
function findLandmark(document: Document): Element | undefined {
  const minLength = getNormalizedText(document.body).length * MIN_LANDMARK_SHARE;
  for (const selector of LANDMARKS) {
    const [only, ...more] = document.querySelectorAll(selector);
    if (only !== undefined && more.length === 0 && getNormalizedText(only).length > minLength) return only;
  }
  return undefined;
}

/** Returns whether a page exceeds the limits for Readability. Iterates, because deep nesting would overflow the call stack. */
function isTooComplex(root: Element): boolean {
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
 * Converts a date in any format that `Date.parse` accepts to ISO 8601. Returns undefined if the text is not a date with a year.
 */
export function toIsoDate(text: string | null | undefined): string | undefined {
  if (text == null || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
