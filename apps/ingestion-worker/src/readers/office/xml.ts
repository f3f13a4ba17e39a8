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

/** Entities beyond those of XML itself are an error; no document type is read. @throws ReadingFailed */
export function parseXml(text: string): XmlElement {
  const root: Growing = { name: '', attributes: {}, children: [], text: '' };
  const open: Growing[] = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: Growing = { name: name.replace(/^[^:]*:/, ''), attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (found) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += found;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw new ReadingFailed('file_unreadable', `The file is damaged: ${error.message}.`, { cause: error });
  });
  parser.write(text).close();
  return root;
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

export function firstBelow(element: XmlElement, name: string): XmlElement | undefined {
  const [first] = descendants(element, name);
  return first;
}
