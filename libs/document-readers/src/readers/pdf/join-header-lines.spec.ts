import { describe, expect, it } from 'vitest';
import { getLineText, type Line } from './line.js';
import { joinHeaderLinesIntoRows } from './join-header-lines.js';

type Cell = readonly [text: string, left: number, right: number];

const createLine = (top: number, ...cells: readonly Cell[]): Line => ({
  segments: cells.map(([text, left, right]) => ({ text, left, right })),
  left: Math.min(...cells.map(([, left]) => left)),
  right: Math.max(...cells.map(([, , right]) => right)),
  ...{ top, bottom: top - 10, size: 10, bold: true, upright: true, hyphenated: false },
});
const ROW = createLine(100, ['Bonds', 0, 50], ['10', 210, 250], ['(2)', 310, 350]);
const NAMES = [
  createLine(126, ['Fair', 215, 240]),
  createLine(114, ['Value', 210, 240]),
  createLine(126, ['Unrealized', 300, 350]),
  createLine(114, ['Loss', 320, 350]),
];

const readHeaderLines = (...lines: readonly Line[]): readonly string[] =>
  joinHeaderLinesIntoRows(lines).map(getLineText);

describe('joinHeaderLinesIntoRows', () => {
  it('if the file draws one column header after the other, joinHeaderLinesIntoRows joins the header lines into rows', () => {
    expect(readHeaderLines(...NAMES, ROW)).toEqual(['Fair | Unrealized', 'Value | Loss', 'Bonds | 10 | (2)']);
  });

  it('joinHeaderLinesIntoRows keeps prose, a larger title or a centred title above column headers as a line of its own', () => {
    const prose = createLine(140, ['These are the bonds that we hold at the end of it.', 0, 300]);
    const title = { ...createLine(140, ['Bonds', 220, 260]), size: 15 };
    const centred = createLine(140, ['Bonds', 155, 195]);
    for (const above of [prose, title, centred])
      expect(readHeaderLines(above, ...NAMES, ROW)).toEqual([
        getLineText(above),
        'Fair | Unrealized',
        'Value | Loss',
        'Bonds | 10 | (2)',
      ]);
  });

  it('joinHeaderLinesIntoRows does not join the lines of a list, or lines above a row of two cells', () => {
    const list = [
      createLine(140, ['Assets', 0, 50]),
      createLine(126, ['Current', 0, 60]),
      createLine(114, ['(In millions)', 200, 260]),
    ];
    expect(readHeaderLines(...list, ROW)).toEqual([...list.map(getLineText), getLineText(ROW)]);
    const two = createLine(100, ['Delaware', 0, 50], ['94-3177549', 210, 250]);
    expect(readHeaderLines(...NAMES, two)).toEqual([...NAMES.map(getLineText), getLineText(two)]);
  });
});
