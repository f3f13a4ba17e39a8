import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoBatches, estimateTokens } from './batches.js';

const texts = fc.array(fc.string({ maxLength: 200, unit: 'grapheme' }), { maxLength: 60 });
const limits = fc.record({ tokens: fc.integer({ min: 1, max: 200 }), texts: fc.integer({ min: 1, max: 10 }) });

describe('batches of texts', () => {
  it('splitIntoBatches returns every text exactly once, in order', () => {
    fc.assert(
      fc.property(texts, limits, (given, limit) => {
        expect(splitIntoBatches(given, limit).flat()).toEqual(given);
      }),
    );
  });

  it('splitIntoBatches returns batches within the limit of texts, and within the limit of tokens unless a batch has only one text', () => {
    fc.assert(
      fc.property(texts, limits, (given, limit) => {
        for (const batch of splitIntoBatches(given, limit)) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(limit.texts);
          const tokens = batch.reduce((sum, text) => sum + estimateTokens(text), 0);
          expect(tokens <= limit.tokens || batch.length === 1).toBe(true);
        }
      }),
    );
  });

  it('estimateTokens returns at least the number of tokens that common tokenizers count', () => {
    // The expected number is the larger one of the counts with o200k_base and cl100k_base.
    expect(estimateTokens('The warranty lasts two years from the date of purchase.')).toBeGreaterThanOrEqual(11);
    expect(estimateTokens('保証期間は購入日から二年間です。')).toBeGreaterThanOrEqual(15);
    expect(estimateTokens('Гарантия действует два года со дня покупки.')).toBeGreaterThanOrEqual(17);
  });
});
