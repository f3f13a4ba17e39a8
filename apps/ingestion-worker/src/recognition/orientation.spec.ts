import { describe, expect, it } from 'vitest';
import { guessQuarterTurns, isTurnedPageBetter, turnImage } from './orientation.js';
import type { TsvWord } from './parse-tsv.js';

function createWords(count: number, { confidence = 90, tall = false } = {}): readonly TsvWord[] {
  const [width, height] = tall ? [28, 90] : [90, 28];
  const word = { text: 'heron', block: '1.1', line: 1, confidence, left: 0, top: 0, width, height };
  return Array.from({ length: count }, () => word);
}

describe('the orientation of a page', () => {
  it.each([
    ['no turn for upright words', createWords(9), 0],
    ['no turn for a page without words', [], 0],
    ['two quarter turns for words with a low confidence', createWords(9, { confidence: 40 }), 2],
    ['three quarter turns for words with a high confidence in lines that run down', createWords(9, { tall: true }), 3],
    [
      'one quarter turn for words with a low confidence in lines that run up',
      createWords(9, { tall: true, confidence: 40 }),
      1,
    ],
  ])('guessQuarterTurns returns %s', (_, words, turns) => {
    expect(guessQuarterTurns(words)).toBe(turns);
  });

  it('isTurnedPageBetter returns false if the turned page has less text, only slightly more confidence, or words that are higher than wide', () => {
    const uncertain = createWords(9, { confidence: 40 });
    expect(isTurnedPageBetter(createWords(9), uncertain)).toBe(true);
    expect(isTurnedPageBetter(createWords(9, { confidence: 44 }), uncertain)).toBe(false);
    expect(isTurnedPageBetter(createWords(9), createWords(9, { tall: true }))).toBe(true);
    expect(isTurnedPageBetter(createWords(5), createWords(9, { tall: true }))).toBe(false);
    expect(isTurnedPageBetter(createWords(9, { tall: true }), uncertain)).toBe(false);
  });
});

describe('turnImage', () => {
  const image = { width: 3, height: 2, dpi: 200, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };

  it.each([
    [0, 3, [1, 2, 3, 4, 5, 6]],
    [1, 2, [4, 1, 5, 2, 6, 3]],
    [2, 3, [6, 5, 4, 3, 2, 1]],
    [3, 2, [3, 6, 2, 5, 1, 4]],
  ] as const)('turnImage turns an image clockwise by %i quarter turn(s)', (turns, width, pixels) => {
    expect(turnImage(image, turns)).toEqual({ width, height: 6 / width, dpi: 200, pixels: Uint8Array.from(pixels) });
  });
});
