import { parseHTML } from 'linkedom';

const STRUCTURE_TAGS = /<\/?(?:html|head|body)(?:\s[^>]*)?>/gi;

const HEAD_ELEMENTS = 'body > title, body > meta, body > link, body > base';

/**
 * A document with a body, whatever the page left out: the tags of html, head and body are optional in HTML, and linkedom puts
 * none in.
 */
export function parseDocument(html: string): Document {
  const { document } = parseHTML(html);
  if (hasBody(document)) return document;
  const content = html.replace(/^[\s\S]*?<!doctype[^>]*>/i, '').replace(STRUCTURE_TAGS, '');
  const language = /<html\s[^>]*?\blang\s*=\s*["']?([\w-]+)/i.exec(html)?.[1] ?? '';
  const whole = parseHTML(
    `<!doctype html><html lang="${language}"><head></head><body>${content}</body></html>`,
  ).document;
  for (const element of whole.body.querySelectorAll(HEAD_ELEMENTS)) whole.head.append(element);
  return whole;
}

function hasBody(document: Document): boolean {
  return document.querySelector('html > body') !== null;
}

/** A text's words with single spaces. */
export function textOf(node: Node | null): string {
  return (node?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
