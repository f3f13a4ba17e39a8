import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutElements, type IsUnwanted } from './without-elements.js';
import { parseXml, type XmlElement } from './xml.js';

const isLook: IsUnwanted = (name, parent) => name === 'look' || (name === 'part' && parent === 'run');

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

function written({ name, value, quote, children }: Node): string {
  const start = `<${name} at=${quote}${value.replaceAll(quote, '')}${quote}`;
  const inside = children.map((child) => (typeof child === 'string' ? child : written(child))).join('');
  return inside === '' ? `${start}/>` : `${start}>${inside}</${name}>`;
}

function without(element: XmlElement): XmlElement {
  const children = element.children.filter(({ name }) => !isLook(name, element.name)).map(without);
  return { ...element, children };
}

describe('leaving elements out of XML', () => {
  it('is the same before it is parsed as after', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), (nodes) => {
        const xml = `<?xml version="1.0"?>\n<all>${nodes.map(written).join('')}</all>`;
        expect(parseXml(withoutElements(xml, isLook))).toEqual(without(parseXml(xml)));
      }),
    );
  });

  it.each([
    ['a comment', '<a><!-- <look> --><look/></a>'],
    ['an instruction', '<a><?b <look> ?><look/></a>'],
    ['a section of character data', '<a><![CDATA[<look>]]><look/></a>'],
    ['an element without an end', '<a><look>'],
    ['an end without a beginning', '<look/></a>'],
    ['a tag without an end', '<a><look/></a'],
    ['a quote without an end', '<a><look/></a b="'],
  ])('is left to the parser where there is %s', (_, xml) => {
    expect(withoutElements(xml, isLook)).toBe(xml);
  });
});
