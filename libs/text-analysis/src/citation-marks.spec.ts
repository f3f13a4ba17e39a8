import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CitationMarks, listCitationMarks } from './citation-marks.js';

function keepMarks(pieces: readonly string[]): { readonly text: string; readonly cited: number[] } {
  const marks = new CitationMarks(5, { keep: true });
  const text = pieces.map((piece) => marks.pushText(piece)).join('') + marks.endText();
  return { text, cited: [...marks.citedNumbers].toSorted((one, other) => one - other) };
}

function stripMarks(pieces: readonly string[], sources = 5): { readonly text: string; readonly cited: number[] } {
  const marks = new CitationMarks(sources);
  const text = pieces.map((piece) => marks.pushText(piece)).join('') + marks.endText();
  return { text, cited: [...marks.citedNumbers].toSorted((one, other) => one - other) };
}

const words = fc.constantFrom(
  'a',
  ' ',
  '  ',
  '\n',
  '[',
  ']',
  '[1]',
  '[2, 3]',
  '[1-2]',
  '[9]',
  '1',
  ',',
  '-',
  '(',
  '`',
  '```',
  '🙂',
  '.',
);
const text = fc.array(words, { maxLength: 25 }).map((parts) => parts.join(''));

describe('CitationMarks', () => {
  it.each([
    ['Two years [1].', 'Two years.', [1]],
    ['Two years[1], in Norway [2][3] too.', 'Two years, in Norway too.', [1, 2, 3]],
    ['Both [1, 3] agree [2;4].', 'Both agree.', [1, 2, 3, 4]],
    ['All of them [2-4]', 'All of them', [2, 3, 4]],
    ['[1] Two years.\n[2] Water.', 'Two years.\nWater.', [1, 2]],
    ['Two years[1][2] and more[3].', 'Two years and more.', [1, 2, 3]],
    ['二年[1]です。', '二年です。', [1]],
    ['(two years[1])', '(two years)', [1]],
    ['- one [1]\n- two', '- one\n- two', [1]],
  ])('CitationMarks removes the citation marks from %j', (input, expected, cited) => {
    expect(stripMarks([input])).toEqual({ text: expected, cited });
  });

  it.each([
    'In the year [2024] and in [9] places',
    'see [the manual] or [0]',
    'a link [1](https://example.com)',
    'the code `list[1]` and\n```\nlist[2]\n```',
    'the element arr[1] is the first, and names[2] the next',
    'set arr[1] = 2, then read arr[1].',
    'an open bracket [',
    'half a mark [1',
    'a row  of   spaces ',
  ])('CitationMarks recognizes no citation mark in %j', (input) => {
    expect(stripMarks([input])).toEqual({ text: input, cited: [] });
  });

  it('CitationMarks recognizes citation marks again after code, and in the line after an unpaired backtick', () => {
    expect(stripMarks(['`x` is so [1].']).cited).toEqual([1]);
    expect(stripMarks(['a ` stray [1]\nnext [2]'])).toEqual({ text: 'a ` stray [1]\nnext', cited: [2] });
  });

  it('CitationMarks finds the same citation marks, however the streamed text is divided into pieces', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 12 }), (whole, cuts) => {
        const places = [...new Set([0, ...cuts, whole.length])].toSorted((one, other) => one - other);
        const pieces = places.map((place, at) => whole.slice(place, places[at + 1]));
        expect(stripMarks(pieces)).toEqual(stripMarks([whole]));
      }),
      { numRuns: 2_000 },
    );
  });

  it('CitationMarks removes citation marks completely, and no other text', () => {
    const prose = fc.array(fc.constantFrom('one', 'two,', 'three.', '\n'), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, fc.constantFrom('', ' [1]', '[2]', ' [3][4]'))), (parts) => {
        const plain = parts.map(([words]) => `x${words.join(' ')}.`).join('');
        const marked = parts.map(([words, mark]) => `x${words.join(' ')}.${mark}`).join('');
        expect(stripMarks([marked]).text).toBe(plain);
      }),
    );
  });

  it('CitationMarks returns streamed text at once, except text that may be the start of a mark', () => {
    const marks = new CitationMarks(3);
    expect(marks.pushText('Two years')).toBe('Two years');
    expect(marks.pushText(' in')).toBe(' in');
    expect(marks.pushText(' [')).toBe('');
    expect(marks.pushText('1')).toBe('');
    expect(marks.pushText('] all')).toBe(' all');
  });

  it('CitationMarks returns the text unchanged with the option `keep`, and finds the same cited sources', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (pieces) => {
        const whole = pieces.join('');
        expect(keepMarks(pieces)).toEqual({ text: whole, cited: stripMarks([whole]).cited });
      }),
    );
    expect(keepMarks(['Two years [1', ']. `x[2]`'])).toEqual({ text: 'Two years [1]. `x[2]`', cited: [1] });
  });
});

describe('listCitationMarks', () => {
  it.each([
    [
      'So [2] it is[1].',
      [
        [3, 6, [2]],
        [12, 15, [1]],
      ],
    ],
    [
      'Both [2, 3] agree [1–3].',
      [
        [5, 11, [2, 3]],
        [18, 23, [1, 2, 3]],
      ],
    ],
    ['Twice [2, 1-2].', [[6, 14, [2, 1]]]],
    ['`list[1]` is so [2].\n```\nlist[3]\n```', [[16, 19, [2]]]],
    ['arr[1] is no mark, and [9] neither', []],
    ['', []],
  ])('listCitationMarks returns the positions and the numbers of the citation marks in %j', (input, expected) => {
    const marks = listCitationMarks(input, 5);
    expect(marks.map(({ start, end, numbers }) => [start, end, numbers])).toEqual(expected);
  });

  it('listCitationMarks returns the positions of the texts that CitationMarks removes', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const marks = listCitationMarks(whole, 5);
        expect(new Set(marks.flatMap(({ numbers }) => numbers))).toEqual(new Set(stripMarks([whole]).cited));
        for (const { start, end } of marks) expect(whole.slice(start, end)).toMatch(/^\[[\d,-][\d,\- ]*\]$/);
      }),
    );
  });
});
