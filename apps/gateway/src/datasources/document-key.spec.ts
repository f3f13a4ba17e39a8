import { expect, it } from 'vitest';
import { documentKeyOf, fileKeyOf } from './document-key.js';

it('names a document by the caller’s id, else the custom id, else the name', () => {
  expect(documentKeyOf({ id: 'i', customId: 'c', name: 'n' })).toBe('i');
  expect(documentKeyOf({ id: null, customId: 'c', name: 'n' })).toBe('c');
  expect(documentKeyOf({ id: '', customId: '', name: 'n' })).toBe('n');
  expect(documentKeyOf({ name: undefined })).toBeUndefined();
});

it('names a file by its custom id and its name together', () => {
  expect(fileKeyOf(null, 'a.txt')).toBe('a.txt');
  const keys = [fileKeyOf('c', 'a.txt'), fileKeyOf('c', 'b.txt'), fileKeyOf('d', 'a.txt'), fileKeyOf(null, 'a.txt')];
  expect(new Set(keys).size).toBe(4);
});
