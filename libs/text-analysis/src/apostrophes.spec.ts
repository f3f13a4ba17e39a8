import { describe, expect, it } from 'vitest';
import { removeApostropheParts } from './apostrophes.js';

const isStopWord = (word: string): boolean => ['l', 'what', 'll'].includes(word);

describe('removeApostropheParts', () => {
  it.each([
    ["company's", false, 'company'],
    ['company’s', false, 'company'],
    ["we'll", false, 'we'],
    ["l'eau", false, 'eau'],
    ["ankara'da", true, 'ankara'],
    ["o'reilly", false, "o'reilly"],
    ["o'reilly", true, "o'reilly"],
    ["rock'n'roll", false, "rock'n'roll"],
    ['sku-12', true, 'sku-12'],
    ["5'11", true, "5'11"],
  ])(
    'removeApostropheParts reduces %s (language with suffixes after apostrophes: %s) to %s',
    (word, isSuffixed, expected) => {
      expect(removeApostropheParts(word, isSuffixed, isStopWord)).toBe(expected);
    },
  );
});
