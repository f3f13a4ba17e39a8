import { expect, it } from 'vitest';
import { documentKeyOf } from './document-key.js';

it('names a document by the caller’s id, else the custom id, else the name', () => {
  expect(documentKeyOf({ id: 'i', customId: 'c', name: 'n' })).toBe('i');
  expect(documentKeyOf({ id: null, customId: 'c', name: 'n' })).toBe('c');
  expect(documentKeyOf({ id: '', customId: '', name: 'n' })).toBe('n');
  expect(documentKeyOf({ name: undefined })).toBeUndefined();
});
