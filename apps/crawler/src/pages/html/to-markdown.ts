import TurndownService from 'turndown';
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

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)[- ]?([a-z0-9+#-]+)/i;
const NOT_A_LANGUAGE = new Set(['none', 'text', 'plaintext', 'js-copy', 'table', 'wrapper']);

/** Adds rules to turndown that convert code blocks to fenced Markdown, with their line breaks and language. */
function addCodeRules(service: TurndownService): void {
  service.addRule('code block', {
    filter: 'pre',
    replacement: (_content, node) => {
      const code = extractCode(node).replace(/^\n|\s+$/g, '');
      if (code.trim() === '') return '';
      const fence = chooseFence(code);
      return `\n\n${fence}${findLanguage(node)}\n${code}\n${fence}\n\n`;
    },
  });
}

function extractCode(node: Node): string {
  return [...node.childNodes].map((child) => (child.nodeName === 'BR' ? '\n' : extractTextWithBreaks(child))).join('');
}

function extractTextWithBreaks(node: Node): string {
  return node.childNodes.length === 0 ? (node.textContent ?? '') : extractCode(node);
}

function findLanguage(node: Element): string {
  const classes = [node.querySelector('code'), node, node.parentElement, node.parentElement?.parentElement ?? null];
  for (const element of classes) {
    const language = element?.getAttribute('data-lang') ?? LANGUAGE.exec(element?.getAttribute('class') ?? '')?.[1];
    if (language !== undefined && /^[a-z0-9+#-]{1,30}$/i.test(language) && !NOT_A_LANGUAGE.has(language))
      return language.toLowerCase();
  }
  return '';
}

/** Returns a Markdown fence with more backticks than any sequence of backticks in the code. */
function chooseFence(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}
