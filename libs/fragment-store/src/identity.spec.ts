import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentId, fragmentId } from './identity.js';
import { sampleDocument, sampleVersion } from './testing/index.js';

const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('fragmentId', () => {
  it('is the same for the same version and ordinal, whatever the other fields are', () => {
    const document = sampleDocument();
    const version = sampleVersion(document, ['text']);
    const other = { ...version, customId: 'other', datasourceId: 'other' };
    expect(fragmentId(version, 3)).toBe(fragmentId(other, 3));
    expect(fragmentId(version, 3)).toMatch(UUID_V5);
  });

  it('differs by organization, datastore, document, generation, content and ordinal', () => {
    const version = sampleVersion(sampleDocument(), ['text']);
    const ids = [
      fragmentId(version, 0),
      fragmentId(version, 1),
      fragmentId({ ...version, organizationId: 'other' }, 0),
      fragmentId({ ...version, datastoreId: 'other' }, 0),
      fragmentId({ ...version, documentKey: 'other' }, 0),
      fragmentId({ ...version, generation: 2 }, 0),
      fragmentId({ ...version, contentHash: 'other' }, 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('documentId', () => {
  it('differs whenever organization, datastore or key differ, for any characters in them', () => {
    const ids = fc.tuple(...[0, 1, 2].map(() => fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [first, second] = [a, b].map(([organizationId = '', datastoreId = '', documentKey = '']) =>
          documentId({ organizationId, datastoreId, documentKey }),
        );
        expect(first === second).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('accepts a key with a lone surrogate', () => {
    expect(documentId({ organizationId: 'o', datastoreId: 'd', documentKey: '\ud800' })).toMatch(UUID_V5);
  });
});
