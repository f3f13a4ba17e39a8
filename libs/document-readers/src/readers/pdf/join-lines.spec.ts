import { describe, expect, it } from 'vitest';
import { joinLines } from './join-lines.js';
import type { Line } from './line.js';

const line = (text: string): Line => ({
  segments: [{ text, left: 0, right: 1 }],
  ...{ left: 0, right: 1, bottom: 0, top: 1, size: 1, bold: false, upright: true, hyphenated: false },
});

describe('joining the lines of a paragraph', () => {
  it.each(['-', '\u2010'])('makes a word whole that is cut by %j', (hyphen) => {
    expect(joinLines([line(`It is unbe${hyphen}`), line('lievable.')], new Set())).toBe('It is unbelievable.');
  });

  it('puts no space between lines of Chinese, and one between others', () => {
    expect(joinLines([line('保証期間は'), line('二年間')], new Set())).toBe('保証期間は二年間');
    expect(joinLines([line('two'), line('years')], new Set())).toBe('two years');
  });
});
