import { parseHTML } from 'linkedom';

const STRUCTURE_TAGS = /<\/?(?:html|head|body)(?:\s[^>]*)?>/gi;
const HEAD_ELEMENTS = 'title, meta, link, base, style, script';
/** In HTML this is a comment, which ends at the first `>` (WHATWG, 13.2.5.42); the parser looks for `]]>` and may find none. */
const CDATA = /(<script\b[\s\S]*?<\/script>)|<!\[CDATA\[[^>]*>?/gi;

/**
 * A document with a head and a body, whatever the page left out or put between them: the tags of html, head and body are
 * optional in HTML, and linkedom puts none in.
 */
export function parseDocument(html: string): Document {
  const plain = html.includes('<![CDATA[') ? html.replace(CDATA, (_, script?: string) => script ?? '') : html;
  const { document } = parseHTML(plain);
  if (document.querySelector('html > body') !== null) return inOrder(document);
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

/** linkedom's `document.body` is a new, empty one unless the page's follows its head at once. */
function inOrder(document: Document): Document {
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

/** White space that is more than a single space. What is one already is most of it. */
const WIDE_SPACE = /\s{2,}|[^\S ]/g;

/** A text's words with single spaces. */
export function textOf(node: Node | null): string {
  return (node?.textContent ?? '').replace(WIDE_SPACE, ' ').trim();
}
