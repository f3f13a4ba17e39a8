import { Readability } from '@mozilla/readability';
import { isoDate } from '../iso-date.js';
import { plainHeadings, removeMenus, removeNoText, removeSurroundings } from './boilerplate.js';
import { textOf } from './parse-document.js';
import { reveal } from './reveal.js';

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

// The parts are those that did best on 750 pages of all kinds: docs/decisions/0061-main-content.md.
/** An article of less than this part of what the page itself calls its main text has lost some of it. */
const LEAST_OF_LANDMARK = 0.65;
/** A main element of less than this part of the page, menus included, is not where the text is. */
const LEAST_LANDMARK = 0.05;
/** An article this long is taken for what the page is about, if it is not a small part of it. */
const ENOUGH = 500;
const LEAST_OF_PAGE = 0.35;
const LEAST_OF_SMALL_PAGE = 0.5;

/**
 * What a page is about, without its menus, headers and footers. Losing text is worse than keeping a menu: an article that
 * is too little gives way to the page's main element, and where there is none to the whole page. Changes the document.
 */
export function mainContent(document: Document): MainContent {
  reveal(document);
  const article = readArticle(document);
  // On a short page Readability takes what surrounds the text for a part of it.
  if (article !== undefined) removeMenus(article.root);
  removeNoText(document);
  const landmark = landmarkOf(document);
  removeSurroundings(landmark ?? document.body);
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
  const page = landmark ?? body;
  if (article !== undefined && holdsTheText(article, page, landmark !== undefined)) {
    return { root: article, extraction: 'article' };
  }
  return { root: page, extraction: landmark === undefined ? 'whole_page' : 'main_element' };
}

/** Enough of the page's text, with its tables, and no more than there is without what surrounds it: more is what surrounds it. */
function holdsTheText(article: Element, page: Element, isLandmark: boolean): boolean {
  const [found, whole] = [textOf(article).length, textOf(page).length];
  const leastOfBody = found >= ENOUGH ? LEAST_OF_PAGE : LEAST_OF_SMALL_PAGE;
  const least = whole * (isLandmark ? LEAST_OF_LANDMARK : leastOfBody);
  return found > 0 && found >= least && found <= whole && countTables(article) >= countTables(page);
}

/**
 * Tables with headers, which Readability takes for decoration when they hold few words, as those of a product's properties do.
 * Tables of two rows lay something out as often as not.
 */
function countTables(root: Element): number {
  const tables = [...root.querySelectorAll('table')];
  return tables.filter((table) => table.querySelector('th') !== null && table.querySelectorAll('tr').length > 2).length;
}

/** Readability takes away the heading that says what the page's title says, and makes any other of the first level a second one. */
function restoreTitle(article: Element, page: Element): void {
  const [title, ...more] = page.querySelectorAll('h1');
  if (title === undefined || more.length > 0) return;
  const kept = [...article.querySelectorAll('h1, h2')].find((heading) => textOf(heading) === textOf(title));
  if (kept === undefined) article.prepend(title.cloneNode(true));
  else kept.replaceWith(title.cloneNode(true));
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
  const least = textOf(document.body).length * LEAST_LANDMARK;
  for (const selector of LANDMARKS) {
    const [only, ...more] = document.querySelectorAll(selector);
    if (only !== undefined && more.length === 0 && textOf(only).length > least) return only;
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
