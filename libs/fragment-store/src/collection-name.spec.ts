import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getCollectionName } from './index.js';

const createName = (model: string, dimensions = 3): string =>
  getCollectionName({ embedding: { model, dimensions, distance: 'cosine' } });

describe('getCollectionName', () => {
  it('a collection name contains the name of the model and the number of dimensions', () => {
    expect(createName('text-embedding-3-small', 1536)).toMatch(/^fragments-text-embedding-3-small-1536-[0-9a-f]{12}$/);
    expect(getCollectionName({ embedding: null })).toBe('fragments-words');
  });

  it('a collection name is safe in file names and URLs for any model name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 8192 }), (model, size) => {
        expect(createName(model, size)).toMatch(/^fragments-[a-z0-9-]{1,60}$/);
      }),
    );
  });

  it('collection names differ for different embeddings, even if their readable parts are the same', () => {
    const names = [
      createName('bge:m3'),
      createName('bge/m3'),
      createName('BGE-M3'),
      createName('bge-m3'),
      createName('bge-m3', 4),
      createName(''),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});
