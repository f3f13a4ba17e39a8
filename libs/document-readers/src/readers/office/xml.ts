import { SaxesParser } from 'saxes';
import { ReadingFailed } from '../reader.js';

/** An element of an XML document. Names have no prefix; attributes keep theirs: `r:id` is not `id`. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Directly inside, not in children. */
  readonly text: string;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

/** What comes of an XML document from its start to its end. */
export interface XmlEvents {
  /** @param name as written, with its prefix */
  open(name: string, attributes: Readonly<Record<string, string>>, parser: SaxesParser): void;
  text(text: string): void;
  close(name: string, parser: SaxesParser): void;
}

/** Entities beyond those of XML itself are an error; no document type is read. @throws ReadingFailed */
export function walkXml(text: string, events: XmlEvents): void {
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    events.open(name, attributes, parser);
  });
  parser.on('text', (found) => {
    events.text(found);
  });
  parser.on('cdata', (found) => {
    events.text(found);
  });
  parser.on('closetag', ({ name }) => {
    events.close(name, parser);
  });
  parser.on('error', (error) => {
    throw new ReadingFailed('file_unreadable', `The file is damaged: ${error.message}.`, { cause: error });
  });
  parser.write(text).close();
}

/** @throws ReadingFailed */
export function parseXml(text: string): XmlElement {
  const root: Growing = { name: '', attributes: {}, children: [], text: '' };
  const open: Growing[] = [root];
  walkXml(text, {
    open: (name, attributes) => {
      const element: Growing = { name: localName(name), attributes, children: [], text: '' };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: (found) => {
      const element = open.at(-1);
      if (element !== undefined) element.text += found;
    },
    close: () => open.pop(),
  });
  return root;
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((found) => found.name === name);
}

/** All elements of this name below, in the order of the document. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const below of element.children) {
    if (below.name === name) yield below;
    yield* descendants(below, name);
  }
}

export function firstBelow(element: XmlElement | undefined, name: string): XmlElement | undefined {
  const [first] = element === undefined ? [] : descendants(element, name);
  return first;
}
