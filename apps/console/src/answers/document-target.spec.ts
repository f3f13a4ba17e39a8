import { describe, expect, it } from 'vitest';
import { findDocumentKey } from './document-target.js';

const page = (path: string) => ({ documentKey: `key ${path}`, source: `https://example.com/${path}` });

describe('findDocumentKey', () => {
  it('finds the only document of a file, whatever its address', () => {
    expect(findDocumentKey({ source: 'https://quarry/api/x/original' }, [page('a')], false)).toBe('key a');
  });

  it('finds the page of a web site by its address', () => {
    expect(findDocumentKey({ source: 'https://example.com/b' }, [page('a'), page('b')], true)).toBe('key b');
  });

  it('returns undefined for a document that is not listed', () => {
    expect(findDocumentKey({ source: 'https://example.com/c' }, [page('a'), page('b')], true)).toBeUndefined();
    expect(findDocumentKey({ source: 'https://example.com/c' }, [page('a')], true)).toBeUndefined();
    expect(findDocumentKey({ source: 'https://example.com/c' }, [], false)).toBeUndefined();
  });
});
