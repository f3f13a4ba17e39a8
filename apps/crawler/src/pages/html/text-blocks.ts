import { getNormalizedText } from './parse-document.js';

/** Describes the text of an element without its block-level descendants, such as a paragraph or a list item. */
export interface TextBlock {
  readonly element: Element;
  /** The text with normalized white space. */
  readonly text: string;
  /** The links to other pages in the text. */
  readonly links: readonly Element[];
  /** The share of the text that is inside links to other pages. */
  readonly linkShare: number;
  /** The level of a heading; undefined for other blocks. */
  readonly level: number | undefined;
  /** True for running text: at least a sentence outside links. */
  readonly isProse: boolean;
  /** True if the element has block-level descendants, so that it cannot be removed with its text. */
  readonly isContainer: boolean;
}

const INLINE = new Set(
  'A ABBR B BDI BDO BR CITE CODE DATA DEL DFN EM FONT I IMG INS KBD LABEL MARK Q RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME TT U VAR WBR'.split(
    ' ',
  ),
);
/** Minimum length of running text, in characters. It is about the length of a sentence. */
export const MIN_PROSE_LENGTH = 80;
const MAX_LINK_SHARE_OF_PROSE = 0.5;
const TEXT_NODE = 3;
const ELEMENT = 1;
const WITHOUT_TEXT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'IFRAME']);

/** Lists the blocks of text in an element, in the order of the document. */
export function listTextBlocks(root: Element): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  const visit = (element: Element): void => {
    const own: Node[] = [];
    const inner: Element[] = [];
    for (const node of element.childNodes) {
      // `child` is used only where the conditions ensure that it is an element.
      const child = node as Element;
      if (node.nodeType === TEXT_NODE || (INLINE.has(node.nodeName) && isInlineElement(child))) own.push(node);
      else if (node.nodeType === ELEMENT && !WITHOUT_TEXT.has(node.nodeName)) inner.push(child);
    }
    const text = own
      .map((node) => node.textContent ?? '')
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
    if (text !== '') blocks.push(createTextBlock(element, text, own, inner.length > 0 || element === root));
    inner.forEach(visit);
  };
  visit(root);
  return blocks;
}

/** Returns the length of the running text in an element, without repetitions. */
export function measureProseLength(root: Element): number {
  const texts = new Set(listTextBlocks(root).flatMap(({ isProse, text }) => (isProse ? [text] : [])));
  return [...texts].reduce((sum, text) => sum + text.length, 0);
}

/** Lists the links to other pages in an element. Excludes links to places of the same page. */
export function listPageLinks(element: Element): readonly Element[] {
  const inner = element.firstElementChild === null ? [] : element.querySelectorAll('a[href]');
  const links = isLink(element) ? [...inner, element] : [...inner];
  return links.filter((link) => !(link.getAttribute('href') ?? '').startsWith('#'));
}

function isLink(element: Element): boolean {
  return element.localName === 'a' && element.hasAttribute('href');
}

/** Returns the sum of the text lengths of elements, in characters. */
export function sumTextLengths(elements: readonly Element[]): number {
  return elements.reduce((sum, element) => sum + getNormalizedText(element).length, 0);
}

function createTextBlock(element: Element, text: string, ownNodes: readonly Node[], isContainer: boolean): TextBlock {
  const links = ownNodes.flatMap((node) => (node.nodeType === TEXT_NODE ? [] : listPageLinks(node as Element)));
  const linked = Math.min(sumTextLengths(links), text.length);
  const level = /^h[1-6]$/.test(element.localName) ? Number(element.localName[1]) : undefined;
  const isLongEnough = text.length - linked >= MIN_PROSE_LENGTH && linked <= text.length * MAX_LINK_SHARE_OF_PROSE;
  return {
    element,
    text,
    links,
    linkShare: linked / text.length,
    level,
    isProse: level === undefined && isLongEnough,
    isContainer,
  };
}

function isInlineElement(element: Element): boolean {
  return [...element.children].every((child) => INLINE.has(child.nodeName) && isInlineElement(child));
}
