import { describe, expect, it } from 'vitest';
import { parseContentType } from './index.js';

describe('parseContentType', () => {
  it.each([
    ['text/html; charset=UTF-8', { mediaType: 'text/html', charset: 'UTF-8' }],
    ['Text/HTML;boundary=x; Charset="utf-8"', { mediaType: 'text/html', charset: 'utf-8' }],
    [undefined, { mediaType: '', charset: undefined }],
  ])('parseContentType returns the media type and the charset of %j', (value, expected) => {
    expect(parseContentType(value)).toEqual(expected);
  });
});
