import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectionName } from './index.js';

const named = (model: string, dimensions = 3): string =>
  collectionName({ embedding: { model, dimensions, distance: 'cosine' } });

describe('collectionName', () => {
  it('contains the model and the dimensions', () => {
    expect(named('text-embedding-3-small', 1536)).toMatch(/^fragments-text-embedding-3-small-1536-[0-9a-f]{12}$/);
    expect(collectionName({ embedding: null })).toBe('fragments-words');
  });

  it('is safe in file names and URLs for any model name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 8192 }), (model, size) => {
        expect(named(model, size)).toMatch(/^fragments-[a-z0-9-]{1,60}$/);
      }),
    );
  });

  it('differs for different embeddings, even if the readable part is the same', () => {
    const names = [named('bge:m3'), named('bge/m3'), named('BGE-M3'), named('bge-m3'), named('bge-m3', 4), named('')];
    expect(new Set(names).size).toBe(names.length);
  });
});
