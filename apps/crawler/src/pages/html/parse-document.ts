import { EventTarget, parseHTML } from 'linkedom';

const STRUCTURE_TAGS = /<\/?(?:html|head|body)(?:\s[^>]*)?>/gi;
const HEAD_ELEMENTS = 'title, meta, link, base, style, script';
/**
 * Matches CDATA sections. In HTML they are comments that end at the first `>` (WHATWG, 13.2.5.42), but the parser
 * expects `]]>`.
 */
const CDATA = /(<script\b[\s\S]*?<\/script>)|<!\[CDATA\[[^>]*>?/gi;

omitListenerMaps();

/**
 * Makes nodes omit their maps of event listeners. linkedom puts a map of each node into one WeakMap, which takes a
 * quarter of the time for reading a page. Nodes accept no listeners afterwards. Changes nothing if linkedom has other
 * classes.
 */
function omitListenerMaps(): void {
  let type: unknown = parseHTML('').document.createTextNode('').constructor;
  while (typeof type === 'function') {
    const parent: unknown = Object.getPrototypeOf(type);
    if (parent === EventTarget) Object.setPrototypeOf(type, class {});
    type = parent;
  }
}

/**
 * Parses an HTML document and adds a missing head and body. HTML does not require the tags of html, head and body, and
 * linkedom does not add them.
 */
export function parseDocument(html: string): Document {
  const plain = html.includes('<![CDATA[') ? html.replace(CDATA, (_, script?: string) => script ?? '') : html;
  const { document } = parseHTML(plain);
  if (document.querySelector('html > body') !== null) return normalizeStructure(document);
  const content = plain.replace(/^[\s\S]*?<!doctype[^>]*>/i, '').replace(STRUCTURE_TAGS, '');
  const language = /<html\s[^>]*?\blang\s*=\s*["']?([\w-]+)/i.exec(plain)?.[1] ?? '';
  const whole = parseHTML(
    `<!doctype html><html lang="${language}"><head></head><body>${content}</body></html>`,
  ).document;
  for (const element of whole.body.querySelectorAll('title, meta, link, base')) {
    if (element.parentElement === whole.body) whole.head.append(element);
  }
  return whole;
}

/** Makes head and body children of html. Otherwise `document.body` of linkedom would be a new, empty element. */
function normalizeStructure(document: Document): Document {
  const root = document.documentElement;
  const [body, ...bodies] = [...root.children].filter((child) => child.nodeName === 'BODY');
  const [head = document.createElement('head')] = [...root.children].filter((child) => child.nodeName === 'HEAD');
  if (body === undefined || (root.children.length === 2 && document.head === head)) return document;
  for (const child of [...root.children]) {
    if (child === head || child === body) continue;
    if (bodies.includes(child)) body.append(...child.childNodes);
    else (child.matches(HEAD_ELEMENTS) ? head : body).append(child);
  }
  root.replaceChildren(head, body);
  return document;
}

/** Matches white space other than a single space. */
const WIDE_SPACE = /\s{2,}|[^\S ]/g;

/** Returns the text of a node with normalized white space. */
export function getNormalizedText(node: Node | null): string {
  return (node?.textContent ?? '').replace(WIDE_SPACE, ' ').trim();
}

/** Minimum text length of a page that is readable without scripts, in characters. */
const MIN_TEXT_LENGTH = 200;

/** Reveals content that is hidden until scripts run or a user clicks. Changes the document. */
export function revealHiddenContent(document: Document): void {
  revealStreamedContent(document);
  revealPanels(document);
  revealNoscriptText(document);
}

/**
 * Moves content that React streams at the end of a page (`<div hidden id="S:1">`) to its placeholder (`<template
 * id="B:1">` or `P:1`). On many pages this is the whole text.
 */
function revealStreamedContent(document: Document): void {
  for (const streamed of document.querySelectorAll('div[hidden][id^="S:"]')) {
    const number = streamed.id.slice('S:'.length);
    const place = document.getElementById(`P:${number}`) ?? document.getElementById(`B:${number}`);
    if (place === null) revealElement(streamed);
    else {
      place.replaceWith(...streamed.childNodes);
      streamed.remove();
    }
  }
}

/** Reveals the panels of tabs and accordions. */
function revealPanels(document: Document): void {
  for (const button of document.querySelectorAll('[aria-controls]')) {
    if (button.closest('nav, header') !== null) continue;
    for (const id of (button.getAttribute('aria-controls') ?? '').split(/\s+/)) {
      const panel = id === '' ? null : document.getElementById(id);
      if (panel !== null) revealElement(panel);
    }
  }
  for (const panel of document.querySelectorAll('[role="tabpanel"], details')) revealElement(panel);
}

/** Reveals long `noscript` elements of a page without other text. Some forums provide their threads there. */
function revealNoscriptText(document: Document): void {
  const withText = [...document.querySelectorAll('body noscript')].filter(
    (element) => getNormalizedText(element).length >= MIN_TEXT_LENGTH,
  );
  if (withText.length === 0 || measureVisibleTextLength(document.body) >= MIN_TEXT_LENGTH) return;
  for (const element of withText) element.replaceWith(...element.childNodes);
}

function revealElement(panel: Element): void {
  panel.removeAttribute('hidden');
  panel.removeAttribute('aria-hidden');
  panel.removeAttribute('style');
}

/** Returns the text length of an element without scripts, styles, templates and `noscript`. */
export function measureVisibleTextLength(element: Element): number {
  const invisible = [...element.querySelectorAll('script, style, noscript, template')].filter(
    (each) => each.parentElement?.closest('noscript, template') == null,
  );
  return getNormalizedText(element).length - invisible.reduce((sum, each) => sum + getNormalizedText(each).length, 0);
}
