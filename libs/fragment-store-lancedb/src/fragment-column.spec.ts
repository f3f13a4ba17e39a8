import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFragment, encodeFragment } from './fragment-column.js';

/** Generates texts that often contain the control characters of the encoding, and the letters that replace them. */
const text = fc.string({ unit: fc.constantFrom('\u001f', '\u001b', '\u0018', 'e', 's', 'n', 'ä', '🐦', "'", '\n') });
const optionalText = fc.option(text);
const number = fc.nat();

const fragment = fc.record({
  id: text,
  datastoreId: text,
  datasourceId: text,
  documentKey: text,
  customId: optionalText,
  source: optionalText,
  version: text,
  generation: number,
  page: fc.option(number),
  location: optionalText,
  rectangles: fc.constantFrom([], [1, 2, 3, 4, 5]),
  ordinal: number,
  context: text,
  text,
});

describe('the column of the fragments', () => {
  it('decodeFragment returns the fragment that encodeFragment has encoded', () => {
    fc.assert(
      fc.property(fc.record({ documentId: text, documentFragments: fc.option(number), fragment }), (one) => {
        expect(decodeFragment(encodeFragment(one))).toEqual(one);
      }),
    );
  });

  it('if an encoded fragment lacks the number of fragments of its document, decodeFragment returns null for this number', () => {
    const [sample] = fc.sample(fragment, 1);
    if (sample === undefined) throw new Error('expected a sample of a fragment, found none');
    const encoded = encodeFragment({ documentId: 'd', documentFragments: 3, fragment: sample });
    const before = encoded.slice(0, encoded.lastIndexOf('\u001f'));
    expect(decodeFragment(before)).toEqual({ documentId: 'd', documentFragments: null, fragment: sample });
  });

  it('decodeFragment fails if fields are missing', () => {
    expect(() => decodeFragment('')).toThrow('expected all fields of a fragment in the column fragment, found fewer');
  });
});
