import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeDocumentId, computeFragmentId } from './identity.js';
import { createSampleDocument, createSampleVersion } from './testing/index.js';

const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('computeFragmentId', () => {
  it('computeFragmentId returns the same id for two versions that differ only in the datasource and the custom id', () => {
    const document = createSampleDocument();
    const version = createSampleVersion(document, ['text']);
    const other = { ...version, customId: 'other', datasourceId: 'other' };
    expect(computeFragmentId(version, 3)).toBe(computeFragmentId(other, 3));
    expect(computeFragmentId(version, 3)).toMatch(UUID_V5);
  });

  it('two fragments have different ids if they differ in organization, datastore, document, generation, content or ordinal', () => {
    const version = createSampleVersion(createSampleDocument(), ['text']);
    const ids = [
      computeFragmentId(version, 0),
      computeFragmentId(version, 1),
      computeFragmentId({ ...version, organizationId: 'other' }, 0),
      computeFragmentId({ ...version, datastoreId: 'other' }, 0),
      computeFragmentId({ ...version, documentKey: 'other' }, 0),
      computeFragmentId({ ...version, generation: 2 }, 0),
      computeFragmentId({ ...version, contentHash: 'other' }, 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('computeDocumentId', () => {
  it('two documents have different ids if they differ in organization, datastore or document key, whatever characters these ids contain', () => {
    const ids = fc.tuple(...[0, 1, 2].map(() => fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const [first, second] = [a, b].map(([organizationId = '', datastoreId = '', documentKey = '']) =>
          computeDocumentId({ organizationId, datastoreId, documentKey }),
        );
        expect(first === second).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('computeDocumentId accepts a key with a lone surrogate', () => {
    expect(computeDocumentId({ organizationId: 'o', datastoreId: 'd', documentKey: '\ud800' })).toMatch(UUID_V5);
  });
});
