import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifyFile, identityKey, identifyUpsert, type UpsertedIdentity } from './document-identity.js';

const NOTHING = { id: null, source: null, customId: null, name: null, text: 't' };
const keyOf = (fields: Partial<UpsertedIdentity>): string => identityKey(identifyUpsert({ ...NOTHING, ...fields }));

describe('the identity of a document', () => {
  it('is its id, else its source, else its custom id and name, else its custom id and text', () => {
    const all = { id: 'i', source: 's', customId: 'c', name: 'n' };
    expect(keyOf(all)).toBe(keyOf({ id: 'i' }));
    expect(keyOf({ ...all, id: null })).toBe(keyOf({ source: 's' }));
    expect(keyOf({ customId: 'c', name: 'n', text: 'a' })).toBe(keyOf({ customId: 'c', name: 'n', text: 'b' }));
    expect(keyOf({ customId: 'c' })).toBe(keyOf({ customId: 'c' }));
  });

  it('is never the custom id alone', () => {
    const grouped = [{ name: 'a' }, { name: 'b' }, { text: 'a' }, { text: 'b' }, { source: 'a' }, { id: 'a' }];
    expect(new Set(grouped.map((fields) => keyOf({ customId: 'c', ...fields }))).size).toBe(grouped.length);
    expect(keyOf({ customId: 'c', name: 'a' })).not.toBe(keyOf({ customId: 'd', name: 'a' }));
    expect(identityKey(identifyFile('c', 'a'))).not.toBe(identityKey(identifyFile('c', 'b')));
  });

  it('differs between kinds of documents and of identifying fields, whatever the values', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.option(text), (value, customId) => {
        const keys = [
          keyOf({ id: value }),
          keyOf({ source: value }),
          keyOf({ customId, name: value }),
          keyOf({ customId, text: value }),
          identityKey(identifyFile(customId, value)),
        ];
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('differs when custom id or name differ, even if their concatenation is equal', () => {
    const pair = fc.tuple(fc.option(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(identityKey(identifyFile(...one)) === identityKey(identifyFile(...other))).toBe(isSame);
      }),
    );
  });
});
