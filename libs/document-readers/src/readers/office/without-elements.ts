/** An element's name, and that of the one it stands in, as written: `w:rPr` in `w:r`. */
export type IsUnwanted = (name: string, parent: string) => boolean;

/**
 * XML without the elements that say nothing to whoever parses it next: leaving them out by their tags takes a tenth of the time of
 * parsing them.
 *
 * @returns the XML as it is where its tags cannot be told without parsing it: with comments, instructions, character data sections
 * or an element without an end
 */
export function withoutElements(xml: string, isUnwanted: IsUnwanted): string {
  const kept: string[] = [];
  const open: string[] = [];
  /** How many elements are open outside of the one that is left out. */
  let outside: number | undefined;
  let keptUntil = 0;
  for (let start = firstTag(xml); start !== -1;) {
    const end = endOfTag(xml, start + 1);
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
      const name = nameAt(xml, start + 1);
      if (outside === undefined && isUnwanted(name, open.at(-1) ?? '')) {
        kept.push(xml.slice(keptUntil, start));
        keptUntil = end + 1;
        if (!isEmpty) outside = open.length;
      }
      if (!isEmpty) open.push(name);
    }
    start = xml.indexOf('<', end);
  }
  if (open.length > 0) return xml;
  kept.push(xml.slice(keptUntil));
  return kept.join('');
}

/** Behind the declaration, with which most XML begins. */
function firstTag(xml: string): number {
  const declaration = /^\uFEFF?\s*<\?xml\s[^<>]*\?>/.exec(xml)?.[0] ?? '';
  return xml.indexOf('<', declaration.length);
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const GREATER = 0x3e;

/** @returns where the tag's `>` is, which may also stand in the value of an attribute; -1 for none */
function endOfTag(xml: string, from: number): number {
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

function nameAt(xml: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(xml)?.[0] ?? '';
}
