import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeContentFingerprint } from './claim.js';

it('computeContentFingerprint returns the same fingerprint for contents that differ only in the order of their fields', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (body) => {
      const reversed = Object.fromEntries(Object.entries(body).toReversed());
      expect(computeContentFingerprint(reversed)).toBe(computeContentFingerprint(body));
    }),
  );
});

it('computeContentFingerprint returns different fingerprints for different contents', () => {
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown); // JSON has no -0
  fc.assert(
    fc.property(json, json, (one, other) => {
      fc.pre(!hasEqualFingerprint(one, other));
      expect(computeContentFingerprint(other)).not.toBe(computeContentFingerprint(one));
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
])('computeContentFingerprint returns different fingerprints for %j and %j', (one, other) => {
  expect(computeContentFingerprint(one)).not.toBe(computeContentFingerprint(other));
});

function hasEqualFingerprint(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
