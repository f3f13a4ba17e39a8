import { describe, expect, it } from 'vitest';
import { textOf, type Line } from './line.js';
import { groupHeaderLines } from './header-lines.js';

type Cell = readonly [text: string, left: number, right: number];

const line = (top: number, ...cells: readonly Cell[]): Line => ({
  segments: cells.map(([text, left, right]) => ({ text, left, right })),
  left: Math.min(...cells.map(([, left]) => left)),
  right: Math.max(...cells.map(([, , right]) => right)),
  ...{ top, bottom: top - 10, size: 10, bold: true, upright: true, hyphenated: false },
});
const ROW = line(100, ['Bonds', 0, 50], ['10', 210, 250], ['(2)', 310, 350]);
const NAMES = [
  line(126, ['Fair', 215, 240]),
  line(114, ['Value', 210, 240]),
  line(126, ['Unrealized', 300, 350]),
  line(114, ['Loss', 320, 350]),
];

const read = (...lines: readonly Line[]): readonly string[] => groupHeaderLines(lines).map(textOf);

describe('column headers that are drawn one after the other', () => {
  it('become rows, from top to bottom and from left to right', () => {
    expect(read(...NAMES, ROW)).toEqual(['Fair | Unrealized', 'Value | Loss', 'Bonds | 10 | (2)']);
  });

  it('exclude prose, larger titles and centred titles above them', () => {
    const prose = line(140, ['These are the bonds that we hold at the end of it.', 0, 300]);
    const title = { ...line(140, ['Bonds', 220, 260]), size: 15 };
    const centred = line(140, ['Bonds', 155, 195]);
    for (const above of [prose, title, centred])
      expect(read(above, ...NAMES, ROW)).toEqual([
        textOf(above),
        'Fair | Unrealized',
        'Value | Loss',
        'Bonds | 10 | (2)',
      ]);
  });

  it('are neither lists nor lines above a row of two cells', () => {
    const list = [line(140, ['Assets', 0, 50]), line(126, ['Current', 0, 60]), line(114, ['(In millions)', 200, 260])];
    expect(read(...list, ROW)).toEqual([...list.map(textOf), textOf(ROW)]);
    const two = line(100, ['Delaware', 0, 50], ['94-3177549', 210, 250]);
    expect(read(...NAMES, two)).toEqual([...NAMES.map(textOf), textOf(two)]);
  });
});
