import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.js';

it('is the same whatever the order of the fields', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (body) => {
      const reversed = Object.fromEntries(Object.entries(body).toReversed());
      expect(fingerprintOf(reversed)).toBe(fingerprintOf(body));
    }),
  );
});

it('is another one for whatever else is asked', () => {
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown); // no -0: JSON has none
  fc.assert(
    fc.property(json, json, (one, other) => {
      fc.pre(!isSame(one, other));
      expect(fingerprintOf(other)).not.toBe(fingerprintOf(one));
    }),
  );
});

it.each([
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: null }, {}],
  [{ a: 1 }, { a: '1' }],
  [{}, []],
  [undefined, {}],
  [{ fields: [['a', 1]] }, { a: 1 }],
])('tells %j from %j', (one, other) => {
  expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
});

function isSame(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
