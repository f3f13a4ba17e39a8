import { describe, expect, it } from 'vitest';
import { getLimit, LIMITS_BY_MODEL, parseLimitsByModel } from './limits-by-model.js';

describe('limits by model', () => {
  it.each([
    ['32', 'any', 32],
    ['32,bge-m3=8', 'bge-m3', 8],
    ['bge-m3=8,32', 'other', 32],
    ['bge-m3=8', 'other', undefined],
    ['nomic-embed-text:v1.5=8', 'nomic-embed-text:v1.5', 8],
  ])(
    'after parseLimitsByModel has parsed the text %j, getLimit returns for the model %s the limit %s',
    (text, model, limit) => {
      expect(text).toMatch(LIMITS_BY_MODEL);
      expect(getLimit(parseLimitsByModel(text), model)).toBe(limit);
    },
  );
});
