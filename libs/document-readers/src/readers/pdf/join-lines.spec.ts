import { describe, expect, it } from 'vitest';
import { joinLinesIntoText } from './join-lines.js';
import type { Line } from './line.js';

const createLine = (text: string): Line => ({
  segments: [{ text, left: 0, right: 1 }],
  ...{ left: 0, right: 1, bottom: 0, top: 1, size: 1, bold: false, upright: true, hyphenated: false },
});

describe('joinLinesIntoText', () => {
  it.each(['-', '\u2010'])(
    'joinLinesIntoText rejoins a word whose first part ends a line with the hyphen %j',
    (hyphen) => {
      expect(joinLinesIntoText([createLine(`It is unbe${hyphen}`), createLine('lievable.')], new Set()).text).toBe(
        'It is unbelievable.',
      );
    },
  );

  it.each([
    ['Man kann ein-', 'und auszahlen.', 'Man kann ein- und auszahlen.'],
    ['two-', 'or three-day trips', 'two- or three-day trips'],
    ['die Stun-', 'den', 'die Stunden'],
  ])('joinLinesIntoText keeps the hyphen of %j before %j only if a conjunction follows', (line, next, expected) => {
    for (const hyphenated of [false, true]) {
      const first = { ...createLine(hyphenated ? line.slice(0, -1) : line), hyphenated };
      const { text, starts } = joinLinesIntoText([first, createLine(next)], new Set());
      expect(text).toBe(expected);
      expect(text.slice(starts[1])).toBe(next);
    }
  });

  it('joinLinesIntoText adds a space between two lines, except between lines of Chinese or Japanese', () => {
    expect(joinLinesIntoText([createLine('保証期間は'), createLine('二年間')], new Set()).text).toBe(
      '保証期間は二年間',
    );
    expect(joinLinesIntoText([createLine('two'), createLine('years')], new Set()).text).toBe('two years');
  });
});
