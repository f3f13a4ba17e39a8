import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileIdentity, identityKey, upsertedIdentity, type UpsertedIdentity } from './document-identity.js';

const NOTHING = { id: null, source: null, customId: null, name: null, text: 't' };
const upserted = (given: Partial<UpsertedIdentity>): string => identityKey(upsertedIdentity({ ...NOTHING, ...given }));

describe('the identity of a document', () => {
  it('is its id, else its source, else its custom id and name, else its custom id and text', () => {
    const all = { id: 'i', source: 's', customId: 'c', name: 'n' };
    expect(upserted(all)).toBe(upserted({ id: 'i' }));
    expect(upserted({ ...all, id: null })).toBe(upserted({ source: 's' }));
    expect(upserted({ customId: 'c', name: 'n', text: 'a' })).toBe(upserted({ customId: 'c', name: 'n', text: 'b' }));
    expect(upserted({ customId: 'c' })).toBe(upserted({ customId: 'c' }));
  });

  it('is never the custom id alone', () => {
    const grouped = [{ name: 'a' }, { name: 'b' }, { text: 'a' }, { text: 'b' }, { source: 'a' }, { id: 'a' }];
    expect(new Set(grouped.map((given) => upserted({ customId: 'c', ...given }))).size).toBe(grouped.length);
    expect(upserted({ customId: 'c', name: 'a' })).not.toBe(upserted({ customId: 'd', name: 'a' }));
    expect(identityKey(fileIdentity('c', 'a'))).not.toBe(identityKey(fileIdentity('c', 'b')));
  });

  it('differs between kinds and between what identifies, whatever the values are', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.option(text), (value, customId) => {
        const keys = [
          upserted({ id: value }),
          upserted({ source: value }),
          upserted({ customId, name: value }),
          upserted({ customId, text: value }),
          identityKey(fileIdentity(customId, value)),
        ];
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('differs where custom ids and names differ, wherever the one ends and the other begins', () => {
    const pair = fc.tuple(fc.option(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(pair, pair, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(identityKey(fileIdentity(...one)) === identityKey(fileIdentity(...other))).toBe(isSame);
      }),
    );
  });
});
