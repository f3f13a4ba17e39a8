import { describe, expect, it } from 'vitest';
import { parseContentType } from './index.js';

describe('parseContentType', () => {
  it.each([
    ['text/html; charset=UTF-8', { mediaType: 'text/html', charset: 'UTF-8' }],
    ['Text/HTML;boundary=x; Charset="utf-8"', { mediaType: 'text/html', charset: 'utf-8' }],
    [undefined, { mediaType: '', charset: undefined }],
  ])('parseContentType parses %j', (value, expected) => {
    expect(parseContentType(value)).toEqual(expected);
  });
});
