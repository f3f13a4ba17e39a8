import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNumberText, parseNumberText } from './number-text.js';

describe('parseNumberText', () => {
  it.each([
    ['', 'whole', null],
    ['  ', 'decimal', null],
    [' 512 ', 'whole', 512],
    ['0', 'whole', 0],
    ['0,3', 'decimal', 0.3],
    ['-1.5', 'decimal', -1.5],
    ['.5', 'decimal', 0.5],
    ['2.', 'decimal', 2],
  ] as const)('parseNumberText parses %j as a %s number: %j', (text, kind, value) => {
    expect(isNumberText(text, kind)).toBe(true);
    expect(parseNumberText(text, kind)).toBe(value);
  });

  it.each([
    ['1.000', 'whole'],
    ['1,5', 'whole'],
    ['-1', 'whole'],
    ['5O', 'whole'],
    ['1e3', 'whole'],
    ['9'.repeat(400), 'whole'],
    ['0.3.1', 'decimal'],
    ['0,7x', 'decimal'],
    ['.', 'decimal'],
    ['-', 'decimal'],
    ['NaN', 'decimal'],
    ['Infinity', 'decimal'],
  ] as const)('parseNumberText throws for %j, which is not a %s number', (text, kind) => {
    expect(isNumberText(text, kind)).toBe(false);
    expect(() => parseNumberText(text, kind)).toThrow(RangeError);
  });

  it('parseNumberText returns null for an empty text only, and else a finite number', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('whole', 'decimal'), (text, kind) => {
        fc.pre(isNumberText(text, kind));
        const value = parseNumberText(text, kind);
        expect(value === null).toBe(text.trim() === '');
        expect(value === null || Number.isFinite(value)).toBe(true);
      }),
    );
  });
});
