import { describe, expect, it } from 'vitest';
import { selectLowestConfidences } from './page-confidences.js';

describe('selectLowestConfidences', () => {
  it('selectLowestConfidences returns the 100 pages with the lowest confidence, sorted by page number', () => {
    const pages = Array.from({ length: 102 }, (_, index) => ({ page: index + 1, confidence: 80 }));
    const good = new Set([1, 50]);
    const recognized = pages.map((one) => (good.has(one.page) ? { ...one, confidence: 99 } : one));
    expect(selectLowestConfidences(recognized)).toEqual(pages.filter(({ page }) => !good.has(page)));
    expect(selectLowestConfidences(pages.slice(0, 2))).toEqual(pages.slice(0, 2));
  });
});
