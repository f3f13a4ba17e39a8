import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildStoredDocumentKey, parseStoredDocumentKey } from './stored-document-key.js';

it('parseStoredDocumentKey returns the key from which buildStoredDocumentKey has built a stored key', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (datasourceId, key) => {
      expect(parseStoredDocumentKey(datasourceId, buildStoredDocumentKey(datasourceId, key))).toBe(key);
    }),
  );
});

it('parseStoredDocumentKey returns a stored key unchanged if it belongs to another datasource', () => {
  const stored = buildStoredDocumentKey('one', 'https://example.org/');
  expect(buildStoredDocumentKey('two', 'https://example.org/')).not.toBe(stored);
  expect(parseStoredDocumentKey('two', stored)).toBe(stored);
});
