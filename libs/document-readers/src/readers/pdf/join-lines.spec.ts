import { describe, expect, it } from 'vitest';
import { createWordCutCheck, joinLinesIntoText } from './join-lines.js';
import type { PageLine } from './line-paragraphs.js';

const createLine = (text: string): PageLine => ({
  segments: [{ text, left: 0, right: 1 }],
  ...{ left: 0, right: 1, bottom: 0, top: 1, size: 1, bold: false, upright: true, hyphenated: false, page: 1 },
});

describe('joinLinesIntoText', () => {
  it.each(['-', '\u2010'])(
    'joinLinesIntoText rejoins a word whose first part ends a line with the hyphen %j',
    (hyphen) => {
      expect(
        joinLinesIntoText([createLine(`It is unbe${hyphen}`), createLine('lievable.')], new Set(), () => false).text,
      ).toBe('It is unbelievable.');
    },
  );

  it.each([
    ['Man kann ein-', 'und auszahlen.', 'Man kann ein- und auszahlen.'],
    ['two-', 'or three-day trips', 'two- or three-day trips'],
    ['die Stun-', 'den', 'die Stunden'],
  ])('joinLinesIntoText joins %j and %j, and keeps the hyphen only before a conjunction', (line, next, expected) => {
    for (const hyphenated of [false, true]) {
      const first = { ...createLine(hyphenated ? line.slice(0, -1) : line), hyphenated };
      const { text, starts } = joinLinesIntoText([first, createLine(next)], new Set(), () => false);
      expect(text).toBe(expected);
      expect(text.slice(starts[1])).toBe(next);
    }
  });

  it('joinLinesIntoText adds a space between two lines, except between lines of Chinese or Japanese', () => {
    expect(joinLinesIntoText([createLine('保証期間は'), createLine('二年間')], new Set(), () => false).text).toBe(
      '保証期間は二年間',
    );
    expect(joinLinesIntoText([createLine('我们去𠮷'), createLine('野家')], new Set(), () => false).text).toBe(
      '我们去𠮷野家',
    );
    expect(joinLinesIntoText([createLine('two'), createLine('years')], new Set(), () => false).text).toBe('two years');
  });

  it('joinLinesIntoText joins the parts of a Korean word that is cut at the end of a full line, if other lines of the page end with a space', () => {
    const cut = { ...createLine('보험금의 경'), right: 100, size: 10 };
    const next = { ...createLine('우에는 따로'), right: 100, size: 10, hasSpaceAtEnd: true as const };
    const last = { ...createLine('정한다'), right: 60, size: 10 };
    const join = (...lines: readonly PageLine[]): string =>
      joinLinesIntoText(lines, new Set(), createWordCutCheck(lines)).text;
    expect(join(cut, next, last)).toBe('보험금의 경우에는 따로 정한다');
    expect(join({ ...cut, right: 80 }, next, last)).toBe('보험금의 경 우에는 따로 정한다');
    expect(join(cut, { ...createLine('우에는'), right: 100, size: 10 }, last)).toBe('보험금의 경 우에는 정한다');
  });
});
