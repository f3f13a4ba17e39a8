import { describe, expect, it } from 'vitest';
import { FILE_TYPES, findTypeOfMediaType, findTypeOfName, isTextType, MEDIA_TYPES } from './index.js';

describe('file types', () => {
  it.each(FILE_TYPES)(
    'the file type %s is found by its media type, and by its file extension in upper case',
    (type) => {
      expect(findTypeOfMediaType(MEDIA_TYPES[type])).toBe(type);
      expect(findTypeOfName(`report.${type.toUpperCase()}`)).toBe(type);
    },
  );

  it.each([
    ['application/csv', 'csv'],
    ['text/x-csv', 'csv'],
    ['text/x-markdown', 'md'],
    ['application/x-pdf', 'pdf'],
    ['text/json', 'json'],
    ['image/png', undefined],
    ['', undefined],
  ])(
    'findTypeOfMediaType returns the file type of the media type "%s", or undefined if no file type has this media type',
    (mediaType, type) => {
      expect(findTypeOfMediaType(mediaType)).toBe(type);
    },
  );

  it.each([
    ['notes.MARKDOWN', 'md'],
    ['report.final.pdf', 'pdf'],
    ['program.exe', undefined],
    ['pdf', undefined],
    ['constructor.constructor', undefined],
  ])(
    'findTypeOfName returns the file type of the file name "%s", or undefined if no file type has its extension',
    (name, type) => {
      expect(findTypeOfName(name)).toBe(type);
    },
  );

  it('isTextType returns true only for the file types whose content can be any text', () => {
    expect(FILE_TYPES.filter(isTextType)).toEqual(['csv', 'txt', 'md', 'json']);
  });
});
