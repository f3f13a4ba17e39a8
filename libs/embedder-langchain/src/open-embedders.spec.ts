import { describe, expect, it } from 'vitest';
import { openEmbedders } from './open-embedders.js';

describe('openEmbedders', () => {
  it('opens an embedder a model and length, once', () => {
    const embedderFor = openEmbedders({ baseUrl: 'http://127.0.0.1:1/v1' });
    const first = embedderFor({ model: 'a', dimensions: 8 });
    expect(first).toMatchObject({ model: 'a', dimensions: 8 });
    expect(embedderFor({ model: 'a', dimensions: 8 })).toBe(first);
    expect(embedderFor({ model: 'a', dimensions: 16 })).not.toBe(first);
  });

  it('has none without an address', () => {
    expect(openEmbedders(undefined)({ model: 'a', dimensions: 8 })).toBeUndefined();
  });
});
