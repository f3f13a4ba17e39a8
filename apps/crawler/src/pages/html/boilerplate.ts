import { textOf } from './parse-document.js';

/** What is no text for readers, wherever it stands. */
const NO_TEXT =
  'script, style, noscript, template, object, embed, canvas, svg, iframe, input:not([type="checkbox"]), select, textarea, button, dialog';
const HIDDEN = '[hidden], [aria-hidden="true"]';
/** Nobody hides these for good: a script shows what holds them, or takes a banner away that covers it. */
const WHAT_IT_IS_ABOUT = 'main, [role="main"], article, h1';
/** What surrounds the text of a page. */
const SURROUNDINGS =
  'nav, [role="navigation"], [role="search"], [role="banner"], [role="contentinfo"], [role="dialog"], [aria-label="breadcrumb" i], .breadcrumb, .breadcrumbs, .skip-link, #cookie-banner, .cookie-banner, .cookie-consent, #cookie-consent, .sr-only, .visually-hidden';
/** These surround the text unless they are part of it. */
const OUTSIDE_THE_TEXT = 'header, footer, aside, [role="complementary"]';
const LINE_NUMBERS = 'td.gutter, td.blob-num, .linenos, .lineno, .line-numbers-rows, .linenodiv';
const MOSTLY_LINKS = 0.5;

/** Removes what no reader reads as text. */
export function removeNoText(root: Document | Element): void {
  removeAll(root, NO_TEXT);
  for (const element of root.querySelectorAll(HIDDEN)) {
    if (!element.matches(WHAT_IT_IS_ABOUT) && element.querySelector(WHAT_IT_IS_ABOUT) === null) element.remove();
  }
  removeAll(root, LINE_NUMBERS);
}

/** Removes menus, page headers and footers, and asides that are lists of links. */
export function removeSurroundings(root: Element): void {
  removeMenus(root);
  for (const element of root.querySelectorAll(OUTSIDE_THE_TEXT)) {
    const belongs = element.closest('article, main, [role="main"]') !== null || isText(root);
    if (!belongs || isMostlyLinks(element)) element.remove();
  }
}

/** Removes what is nothing but a menu, a search field or a banner, wherever it stands. */
export function removeMenus(root: Element): void {
  removeAll(root, SURROUNDINGS);
}

function isText(root: Element): boolean {
  return root.matches('article, main, [role="main"]');
}

function isMostlyLinks(element: Element): boolean {
  const all = textOf(element).length;
  const linked = [...element.querySelectorAll('a')].reduce((sum, link) => sum + textOf(link).length, 0);
  return linked > all * MOSTLY_LINKS;
}

/** Takes the links out of headings: `¶` and `#` that lead to themselves go, other words stay. */
export function plainHeadings(root: Element): void {
  for (const link of root.querySelectorAll('h1 a, h2 a, h3 a, h4 a, h5 a, h6 a')) {
    const isMark = !/[\p{L}\p{N}]/u.test(textOf(link)) || /^(permalink|link to|direct link)/i.test(textOf(link));
    if (isMark) link.remove();
    else link.replaceWith(...link.childNodes);
  }
}

function removeAll(root: Document | Element, selector: string): void {
  for (const element of root.querySelectorAll(selector)) element.remove();
}
