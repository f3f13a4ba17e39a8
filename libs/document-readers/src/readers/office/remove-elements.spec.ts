import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeElements, type ElementPredicate } from './remove-elements.js';
import { parseXml, type XmlElement } from './xml.js';

const isFormatting: ElementPredicate = (name, parent) => name === 'look' || (name === 'part' && parent === 'run');

interface Node {
  readonly name: string;
  readonly value: string;
  readonly quote: string;
  readonly children: readonly (Node | string)[];
}

const words = fc.string({ unit: fc.constantFrom('a', '>', "'", '"', '/', '&lt;', ' ', '\n') });
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    name: fc.constantFrom('look', 'run', 'part', 'text'),
    value: words,
    quote: fc.constantFrom('"', "'"),
    children: fc.array(fc.oneof({ depthSize: 'small' }, words, tie('node')), { maxLength: 4 }),
  }),
}));

function serializeNode({ name, value, quote, children }: Node): string {
  const start = `<${name} at=${quote}${value.replaceAll(quote, '')}${quote}`;
  const inside = children.map((child) => (typeof child === 'string' ? child : serializeNode(child))).join('');
  return inside === '' ? `${start}/>` : `${start}>${inside}</${name}>`;
}

function filterElement(element: XmlElement): XmlElement {
  const children = element.children.filter(({ name }) => !isFormatting(name, element.name)).map(filterElement);
  return { ...element, children };
}

describe('removeElements', () => {
  it('parsing after removeElements yields the same document as removing the elements after parsing', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), (nodes) => {
        const xml = `<?xml version="1.0"?>\n<all>${nodes.map(serializeNode).join('')}</all>`;
        expect(parseXml(removeElements(xml, isFormatting))).toEqual(filterElement(parseXml(xml)));
      }),
    );
  });

  it.each([
    ['a comment', '<a><!-- <look> --><look/></a>'],
    ['a processing instruction', '<a><?b <look> ?><look/></a>'],
    ['a CDATA section', '<a><![CDATA[<look>]]><look/></a>'],
    ['an unclosed element', '<a><look>'],
    ['an end tag without a start tag', '<look/></a>'],
    ['an unclosed tag', '<a><look/></a'],
    ['an unclosed quote', '<a><look/></a b="'],
  ])('removeElements does not change XML that contains %s', (_, xml) => {
    expect(removeElements(xml, isFormatting)).toBe(xml);
  });
});
