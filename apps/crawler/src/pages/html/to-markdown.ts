import TurndownService from 'turndown';
import { addCodeRules } from './code-rules.js';
import { addTableRules } from './table-rules.js';

const LEADS_SOMEWHERE = /^(?:https?|mailto|tel):/i;

/**
 * An element as GFM: headings, lists, tables and code keep their structure, links and pictures have whole addresses.
 * Changes the element.
 *
 * @param base what the page's relative addresses are relative to
 */
export function toMarkdown(root: Element, base: string): string {
  absoluteAddresses(root, base);
  return converter().turndown(asTurndownNode(root)).trim();
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  const escape = service.escape.bind(service);
  // Within a word an underscore is one (CommonMark 6.2): `snake_case` stays searchable.
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
  service.addRule('picture', { filter: 'img', replacement: (_content, node) => picture(node) });
  addCodeRules(service);
  addTableRules(service);
  return service;
}

/** A picture is worth its words; without any it is left out. */
function picture(node: HTMLElement): string {
  const words = (node.getAttribute('alt') ?? node.getAttribute('title') ?? '').replace(/[\s[\]]+/g, ' ').trim();
  const source = node.getAttribute('src') ?? '';
  if (words === '') return '';
  return /^https?:/.test(source) ? `![${words}](${source})` : words;
}

// turndown clones what it is given and asks no more of it than any element can do.
function asTurndownNode(root: Element): HTMLElement {
  return root as HTMLElement;
}

/** Makes the addresses of links and pictures whole. A link within the page, or by script, becomes its words. */
function absoluteAddresses(root: Element, base: string): void {
  for (const link of root.querySelectorAll('a')) {
    const href = link.getAttribute('href')?.trim() ?? '';
    const address = href.startsWith('#') ? undefined : URL.parse(href, base)?.href;
    if (address !== undefined && href !== '' && LEADS_SOMEWHERE.test(address)) link.setAttribute('href', address);
    else link.replaceWith(...link.childNodes);
  }
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? image.getAttribute('data-src') ?? '';
    image.setAttribute('src', source === '' ? '' : (URL.parse(source, base)?.href ?? ''));
  }
}
