import { describe, expect, it } from 'vitest';
import { parseByteRange } from './byte-range.js';

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, length: 1 }],
    ['bytes=2-4', { start: 2, length: 3 }],
    ['bytes=2-', { start: 2, length: 8 }],
    ['bytes=2-99', { start: 2, length: 8 }],
    ['bytes=-3', { start: 7, length: 3 }],
    ['bytes=-99', { start: 0, length: 10 }],
  ])('parseByteRange selects the range of the header %s', (header, expected) => {
    expect(parseByteRange(header, 10)).toEqual(expected);
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])(
    'parseByteRange returns `unsatisfiable` for the header %s, which selects no byte of the file',
    (header) => {
      expect(parseByteRange(header, 10)).toBe('unsatisfiable');
    },
  );

  it.each([undefined, '', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=0--1'])(
    'parseByteRange selects the whole file for the header %j',
    (header) => {
      expect(parseByteRange(header, 10)).toBe('whole');
    },
  );
});
