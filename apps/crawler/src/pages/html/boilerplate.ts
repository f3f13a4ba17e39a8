import { getNormalizedText } from './parse-document.js';

/** Selects elements that never contain the text of a page. */
const NON_TEXT =
  'script, style, noscript, template, object, embed, canvas, svg, iframe, input:not([type="checkbox"]), select, textarea, button, dialog';
const HIDDEN = '[hidden], [aria-hidden="true"]';
/** Selects main content. It is kept even if hidden, because a script shows it later or removes a banner. */
const MAIN_CONTENT = 'main, [role="main"], article, h1';
/** Selects navigation, banners and dialogs. */
const NAVIGATION =
  'nav, [role="navigation"], [role="search"], [role="banner"], [role="contentinfo"], [role="dialog"], [aria-label="breadcrumb" i], .breadcrumb, .breadcrumbs, .skip-link, #cookie-banner, .cookie-banner, .cookie-consent, #cookie-consent, .sr-only, .visually-hidden';
/** Selects page headers, footers and asides. They are boilerplate unless they are inside the main content. */
const PAGE_SECTIONS = 'header, footer, aside, [role="complementary"]';
const LINE_NUMBERS = 'td.gutter, td.blob-num, .linenos, .lineno, .line-numbers-rows, .linenodiv';
const MAX_LINK_SHARE = 0.5;

/** Removes elements without text, hidden elements and line numbers. */
export function removeNonText(root: Document | Element): void {
  removeAll(root, NON_TEXT);
  for (const element of root.querySelectorAll(HIDDEN)) {
    if (!element.matches(MAIN_CONTENT) && element.querySelector(MAIN_CONTENT) === null) element.remove();
  }
  removeAll(root, LINE_NUMBERS);
}

/** Removes navigation, page headers, footers, and asides that consist mostly of links. */
export function removeBoilerplate(root: Element): void {
  removeNavigation(root);
  for (const element of root.querySelectorAll(PAGE_SECTIONS)) {
    const isPartOfContent = element.closest('article, main, [role="main"]') !== null || isMainContent(root);
    if (!isPartOfContent || isMostlyLinks(element)) element.remove();
  }
}

/** Removes menus, search fields and banners, also inside the main content. */
export function removeNavigation(root: Element): void {
  removeAll(root, NAVIGATION);
}

function isMainContent(root: Element): boolean {
  return root.matches('article, main, [role="main"]');
}

function isMostlyLinks(element: Element): boolean {
  const all = getNormalizedText(element).length;
  const linked = [...element.querySelectorAll('a')].reduce((sum, link) => sum + getNormalizedText(link).length, 0);
  return linked > all * MAX_LINK_SHARE;
}

/** Removes links from headings. Removes the text of anchor marks such as `¶` and `#`, and keeps other text. */
export function removeHeadingLinks(root: Element): void {
  for (const link of root.querySelectorAll('h1 a, h2 a, h3 a, h4 a, h5 a, h6 a')) {
    const isAnchorMark =
      !/[\p{L}\p{N}]/u.test(getNormalizedText(link)) ||
      /^(permalink|link to|direct link)/i.test(getNormalizedText(link));
    if (isAnchorMark) link.remove();
    else link.replaceWith(...link.childNodes);
  }
}

function removeAll(root: Document | Element, selector: string): void {
  for (const element of root.querySelectorAll(selector)) element.remove();
}
