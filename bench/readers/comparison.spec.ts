import { describe, expect, it } from 'vitest';
import { compareLibraries } from './comparison.js';

describe('comparing libraries', () => {
  it('compareLibraries compares reading times over the files that both libraries read, and counts a file that a library cannot read as recall 0', () => {
    const reads = new Map([
      ['ours', [createFileRead('a.csv', 1, 'x'), createFileRead('b.csv', 2, 'x'), { type: 'csv', file: 'c.csv' }]],
      [
        'other',
        [
          createFileRead('a.csv', 4, 'y'),
          createFileRead('b.csv', 2, 'x'),
          createFileRead('c.csv', 9, 'x'),
          createFileRead('none.csv', 8, 'x'),
        ],
      ],
    ]);
    const computeRecall = (name: string, text: string) => (name === 'none.csv' ? undefined : Number(text === 'x'));
    const [ours, other] = compareLibraries(reads, [{ type: 'csv', library: 'ours' }], computeRecall);
    expect(ours).toMatchObject({ isChosen: true, read: 2, files: 3, time: 1 });
    expect(ours?.recall).toBeCloseTo(2 / 3);
    expect(other).toMatchObject({ isChosen: false, read: 3, files: 3, time: 2 });
    expect(other?.recall).toBeCloseTo(2 / 3);
  });
});

function createFileRead(name: string, ms: number, text: string) {
  return { type: 'csv', file: name, ms, text };
}
