import { describe, expect, it } from 'vitest';
import { joinLines } from './join-lines.js';
import type { Line } from './line.js';

const line = (text: string): Line => ({
  segments: [{ text, left: 0, right: 1 }],
  ...{ left: 0, right: 1, bottom: 0, top: 1, size: 1, bold: false, upright: true, hyphenated: false },
});

describe('joinLines', () => {
  it.each(['-', '\u2010'])('rejoins a word that is hyphenated with %j', (hyphen) => {
    expect(joinLines([line(`It is unbe${hyphen}`), line('lievable.')], new Set())).toBe('It is unbelievable.');
  });

  it('adds a space between lines, except between lines of Chinese or Japanese', () => {
    expect(joinLines([line('保証期間は'), line('二年間')], new Set())).toBe('保証期間は二年間');
    expect(joinLines([line('two'), line('years')], new Set())).toBe('two years');
  });
});
