import { describe, expect, it } from 'vitest';
import { parseTsv } from './parse-tsv.js';

const HEADER = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';

describe('parseTsv', () => {
  it('parseTsv returns words with their boxes and confidence, and numbers the lines of all blocks consecutively', () => {
    const rows = [
      HEADER,
      '1\t1\t0\t0\t0\t0\t0\t0\t1700\t2200\t-1\t',
      '4\t1\t1\t1\t1\t0\t200\t100\t300\t28\t-1\t',
      '5\t1\t1\t1\t1\t1\t200\t100\t60\t28\t96.5\tThe',
      '5\t1\t1\t1\t1\t2\t270\t100\t90\t28\t95\theron',
      '5\t1\t1\t1\t2\t1\t200\t140\t90\t28\t94\tstands',
      '5\t1\t2\t1\t1\t1\t200\t400\t90\t28\t93\tOther',
    ];
    expect(parseTsv(`${rows.join('\n')}\n`).words).toEqual([
      { text: 'The', block: '1.1', line: 1, confidence: 96.5, left: 200, top: 100, width: 60, height: 28 },
      { text: 'heron', block: '1.1', line: 1, confidence: 95, left: 270, top: 100, width: 90, height: 28 },
      { text: 'stands', block: '1.1', line: 2, confidence: 94, left: 200, top: 140, width: 90, height: 28 },
      { text: 'Other', block: '1.2', line: 3, confidence: 93, left: 200, top: 400, width: 90, height: 28 },
    ]);
  });

  it('parseTsv omits blank and uncertain words, but keeps an uncertain word with letters in a line with a high mean confidence', () => {
    const createRows = (words: readonly (readonly [line: number, confidence: number, text: string])[]): string =>
      words.map(([line, confidence, text]) => `5\t1\t1\t1\t${line}\t1\t0\t0\t9\t9\t${confidence}\t${text}`).join('\n');
    const getTexts = (output: string) => parseTsv(output).words.map(({ text }) => text);
    expect(getTexts(createRows([[1, 95, ' ']]))).toEqual([]);
    expect(
      getTexts(
        createRows([
          [1, 4, 'Oy'],
          [1, 15, 'wv'],
          [1, 40, 'Sale'],
        ]),
      ),
    ).toEqual(['Sale']);
    expect(
      getTexts(
        createRows([
          [1, 95, 'The'],
          [1, 0, 'heron’s'],
          [1, 0, '—_'],
          [1, 95, 'nest'],
          [1, 95, 'is'],
          [1, 95, 'empty'],
        ]),
      ),
    ).toEqual(['The', 'heron’s', 'nest', 'is', 'empty']);
    expect(parseTsv('').words).toEqual([]);
  });

  it('parseTsv returns the number of omitted words that contain letters or digits', () => {
    const words = ['4\tOy', '15\twv', '0\t—', '40\tSale', '0\t12'];
    expect(parseTsv(words.map((word) => `5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t${word}`).join('\n')).uncertain).toBe(3);
    expect(parseTsv('').uncertain).toBe(0);
  });
});
