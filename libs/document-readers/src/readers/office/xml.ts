import { SaxesParser } from 'saxes';
import { ReadingFailed } from '../reader.js';

/**
 * Describes an element of an XML document. The name of the element has no prefix. The names of attributes keep their
 * prefixes, because `r:id` and `id` are different attributes.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text of the element itself, without the text of its children. */
  readonly text: string;
}

interface MutableElement extends XmlElement {
  readonly children: MutableElement[];
  text: string;
}

/** Receives the events that the parser emits for an XML document, in document order. */
export interface XmlEvents {
  /** Handles a start tag. @param name name of the element, with its prefix */
  open(name: string, attributes: Readonly<Record<string, string>>, parser: SaxesParser): void;
  text(text: string): void;
  close(name: string, parser: SaxesParser): void;
}

/**
 * Parses XML and passes each tag and text to `events`. Does not read document type declarations, so an entity that XML
 * does not predefine is an error.
 *
 * @throws ReadingFailed
 */
export function parseXmlEvents(text: string, events: XmlEvents): void {
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

/** Parses XML into elements. Returns an element without a name that contains the root element. @throws ReadingFailed */
export function parseXml(text: string): XmlElement {
  const root: MutableElement = { name: '', attributes: {}, children: [], text: '' };
  const open: MutableElement[] = [root];
  parseXmlEvents(text, {
    open: (name, attributes) => {
      const element: MutableElement = { name: removePrefix(name), attributes, children: [], text: '' };
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

/** Removes the namespace prefix from a name, such as `w:` from `w:p`. */
export function removePrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((found) => found.name === name);
}

/** Yields all descendants of an element that have the given name, in document order. */
export function* findDescendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const below of element.children) {
    if (below.name === name) yield below;
    yield* findDescendants(below, name);
  }
}

export function findDescendant(element: XmlElement | undefined, name: string): XmlElement | undefined {
  const [first] = element === undefined ? [] : findDescendants(element, name);
  return first;
}
