import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildStoredDocumentKey, parseStoredDocumentKey } from './stored-document-key.js';

it('parseStoredDocumentKey returns the key that buildStoredDocumentKey received', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (datasourceId, key) => {
      expect(parseStoredDocumentKey(datasourceId, buildStoredDocumentKey(datasourceId, key))).toBe(key);
    }),
  );
});

it('the stored keys of two datasources differ, and a key of another datasource is returned unchanged', () => {
  const stored = buildStoredDocumentKey('one', 'https://example.org/');
  expect(buildStoredDocumentKey('two', 'https://example.org/')).not.toBe(stored);
  expect(parseStoredDocumentKey('two', stored)).toBe(stored);
});
