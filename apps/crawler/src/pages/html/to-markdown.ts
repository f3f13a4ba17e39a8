import TurndownService from 'turndown';
import { addCodeRules } from './code-rules.js';
import { addTableRules } from './table-rules.js';

const LINK_SCHEME = /^(?:https?|mailto|tel):/i;

/**
 * Converts an element to GitHub Flavored Markdown. Keeps headings, lists, tables and code, and resolves the URLs of links and
 * images. Changes the element.
 *
 * @param base the base of relative URLs
 */
export function toMarkdown(root: Element, base: string): string {
  resolveUrls(root, base);
  return createConverter().turndown(toTurndownNode(root)).trim();
}

/** Resolves the URLs of links and images. Replaces links inside the page and script links by their text. */
function resolveUrls(root: Element, base: string): void {
  for (const link of root.querySelectorAll('a')) {
    const href = link.getAttribute('href')?.trim() ?? '';
    const url = href.startsWith('#') ? undefined : URL.parse(href, base)?.href;
    if (url !== undefined && href !== '' && LINK_SCHEME.test(url)) link.setAttribute('href', url);
    else link.replaceWith(...link.childNodes);
  }
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? image.getAttribute('data-src') ?? '';
    image.setAttribute('src', source === '' ? '' : (URL.parse(source, base)?.href ?? ''));
  }
}

function createConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  const escape = service.escape.bind(service);
  // An underscore inside a word needs no escape (CommonMark 6.2), and `snake_case` stays searchable.
  service.escape = (text) => escape(text).replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_');
  service.addRule('strikethrough', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
  service.addRule('term', {
    filter: (node) => node.nodeName === 'DT',
    replacement: (content) => `\n\n**${content.trim()}**\n\n`,
  });
  service.addRule('checkbox', {
    filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
    replacement: (_content, node) => (node.hasAttribute('checked') ? '[x] ' : '[ ] '),
  });
  service.addRule('picture', { filter: 'img', replacement: (_content, node) => convertImage(node) });
  addCodeRules(service);
  addTableRules(service);
  return service;
}

/** Converts an image to Markdown. Returns '' for an image without a description. */
function convertImage(node: HTMLElement): string {
  const description = (node.getAttribute('alt') ?? node.getAttribute('title') ?? '').replace(/[\s[\]]+/g, ' ').trim();
  const source = node.getAttribute('src') ?? '';
  if (description === '') return '';
  return /^https?:/.test(source) ? `![${description}](${source})` : description;
}

// turndown clones its input and uses only methods of Element.
function toTurndownNode(root: Element): HTMLElement {
  return root as HTMLElement;
}
