/**
 * Returns whether to remove an element. Receives the prefixed names of the element and of its parent, such as `w:rPr`
 * and `w:r`.
 */
export type ElementPredicate = (name: string, parent: string) => boolean;

/**
 * Removes elements with their content from XML. Scans only the tags, which is much faster than parsing the XML.
 *
 * @returns the shortened XML; the unchanged XML if it has comments, processing instructions, CDATA sections or unclosed
 * elements, which require a parser
 */
export function removeElements(xml: string, shouldRemove: ElementPredicate): string {
  const pieces: string[] = [];
  const open: string[] = [];
  /** Number of open elements around the element that is being removed. Undefined outside of such an element. */
  let outside: number | undefined;
  let keptUntil = 0;
  for (let start = findFirstTag(xml); start !== -1;) {
    const end = findTagEnd(xml, start + 1);
    const kind = xml[start + 1];
    if (end === -1 || kind === '!' || kind === '?') return xml;
    if (kind === '/') {
      if (open.pop() === undefined) return xml;
      if (open.length === outside) {
        outside = undefined;
        keptUntil = end + 1;
      }
    } else {
      const isEmpty = xml[end - 1] === '/';
      const name = readTagNameAt(xml, start + 1);
      if (outside === undefined && shouldRemove(name, open.at(-1) ?? '')) {
        pieces.push(xml.slice(keptUntil, start));
        keptUntil = end + 1;
        if (!isEmpty) outside = open.length;
      }
      if (!isEmpty) open.push(name);
    }
    start = xml.indexOf('<', end);
  }
  if (open.length > 0) return xml;
  pieces.push(xml.slice(keptUntil));
  return pieces.join('');
}

/** Returns the position of the first tag after the XML declaration; -1 if there is none. */
function findFirstTag(xml: string): number {
  const declaration = /^\uFEFF?\s*<\?xml\s[^<>]*\?>/.exec(xml)?.[0] ?? '';
  return xml.indexOf('<', declaration.length);
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const GREATER = 0x3e;

/**
 * Returns the position of the `>` that ends a tag, ignoring `>` in attribute values. Returns -1 if the tag has no end.
 */
function findTagEnd(xml: string, from: number): number {
  let quote: number | undefined;
  for (let at = from; at < xml.length; at += 1) {
    const code = xml.charCodeAt(at);
    if (quote !== undefined) quote = code === quote ? undefined : quote;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === GREATER) return at;
  }
  return -1;
}

const NAME = /[^\s/>]+/y;

function readTagNameAt(xml: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(xml)?.[0] ?? '';
}
