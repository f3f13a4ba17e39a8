import { Readability } from '@mozilla/readability';
import { isoDate } from '../iso-date.js';
import { plainHeadings, removeMenus, removeNoText, removeSurroundings, revealPanels } from './boilerplate.js';
import { textOf } from './parse-document.js';

/** How the main content was found: by Readability, by the page's own `main` or `article`, or not at all. */
export const EXTRACTIONS = ['article', 'main_element', 'whole_page'] as const;
export type Extraction = (typeof EXTRACTIONS)[number];

export interface MainContent {
  readonly root: Element;
  readonly extraction: Extraction;
  readonly textLength: number;
  /** ISO 8601, where the page's structured data tells. */
  readonly published: string | undefined;
  readonly author: string | undefined;
}

interface Article {
  readonly root: Element;
  readonly published: string | undefined;
  readonly author: string | undefined;
}

/** Readability takes most of the time, and on deeply nested pages all of it: larger ones are read without it. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 200;
const LANDMARKS = ['main', '[role="main"]', 'article', '#main-content', '#content', '#main'];

/** An article of less than this part of what the page itself calls its main text has lost some of it. */
const LEAST_OF_LANDMARK = 0.75;
/** An article this long is taken for what the page is about, if it is not a small part of it. */
const ENOUGH = 500;
const LEAST_OF_PAGE = 0.15;
const LEAST_OF_SMALL_PAGE = 0.5;

/**
 * What a page is about, without its menus, headers and footers. Losing text is worse than keeping a menu: an article that
 * is too little gives way to the page's main element, and where there is none to the whole page. Changes the document.
 */
export function mainContent(document: Document): MainContent {
  revealPanels(document);
  const article = readArticle(document);
  // On a short page Readability takes what surrounds the text for a part of it.
  if (article !== undefined) removeMenus(article.root);
  removeNoText(document);
  const landmark = landmarkOf(document);
  if (landmark !== undefined) removeSurroundings(landmark);
  if (landmark === undefined) removeSurroundings(document.body);
  const { root, extraction } = choose(article?.root, landmark, document.body);
  if (extraction === 'article') restoreTitle(root, landmark ?? document.body);
  plainHeadings(root);
  return { root, extraction, textLength: textOf(root).length, published: article?.published, author: article?.author };
}

function choose(
  article: Element | undefined,
  landmark: Element | undefined,
  body: Element,
): Pick<MainContent, 'root' | 'extraction'> {
  const found = textOf(article ?? null).length;
  if (landmark !== undefined) {
    return isBetween(found, textOf(landmark).length * LEAST_OF_LANDMARK, landmark) && article !== undefined
      ? { root: article, extraction: 'article' }
      : { root: landmark, extraction: 'main_element' };
  }
  const least = textOf(body).length * (found >= ENOUGH ? LEAST_OF_PAGE : LEAST_OF_SMALL_PAGE);
  return isBetween(found, least, body) && article !== undefined
    ? { root: article, extraction: 'article' }
    : { root: body, extraction: 'whole_page' };
}

/** Enough, and no more than the element holds without what surrounds it: more is what surrounds it. */
function isBetween(found: number, least: number, most: Element): boolean {
  return found > 0 && found >= least && found <= textOf(most).length;
}

/** Readability takes away the heading that says what the page's title says. */
function restoreTitle(article: Element, page: Element): void {
  const [title, ...more] = page.querySelectorAll('h1');
  const isThere = [...article.querySelectorAll('h1, h2')].some((heading) => textOf(heading) === textOf(title ?? null));
  if (title !== undefined && more.length === 0 && !isThere) article.prepend(title.cloneNode(true));
}

function readArticle(document: Document): Article | undefined {
  if (isTooMuch(document.body)) return undefined;
  try {
    // A document of linkedom clones to a document; the type of cloneNode says no more than Node.
    const copy = document.cloneNode(true) as Document;
    const read = new Readability<Element>(copy, {
      keepClasses: true,
      // It is asked to serialise the element that holds the article.
      serializer: (element) => element as Element,
    }).parse();
    if (read?.content == null) return undefined;
    return { root: read.content, published: isoDate(read.publishedTime), author: read.byline?.trim() };
  } catch {
    // It stumbles over some pages: there are other ways to their text.
    return undefined;
  }
}

/** The page's own word for what it is about, when it has one. */
function landmarkOf(document: Document): Element | undefined {
  for (const selector of LANDMARKS) {
    const [only, ...more] = document.querySelectorAll(selector);
    if (only !== undefined && more.length === 0 && textOf(only) !== '') return only;
  }
  return undefined;
}

/** Whether there are too many elements, or they are nested too deeply. Without recursion, which deep nesting would end. */
function isTooMuch(root: Element): boolean {
  let elements = 0;
  const open: (readonly [Element, number])[] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, depth] = next;
    elements += 1;
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) return true;
    for (const child of element.children) open.push([child, depth + 1]);
  }
  return false;
}
