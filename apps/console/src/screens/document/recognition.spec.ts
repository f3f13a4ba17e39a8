import { describe, expect, it } from 'vitest';
import { describePageRecognition } from './recognition.js';

const COUNTS = { total: 6, undecoded: 0, images: 0, recognized: 5, confidence: 80 };

describe('describePageRecognition', () => {
  it('describePageRecognition returns the confidence of the open page, and the other pages with a confidence below 80 %, lowest first', () => {
    const confidences = [
      { page: 1, confidence: 93 },
      { page: 2, confidence: 61 },
      { page: 3, confidence: 79 },
      { page: 4, confidence: 80 },
      { page: 5, confidence: 40 },
    ];
    const pages = { ...COUNTS, confidences };
    expect(describePageRecognition(pages, 1)).toEqual({
      confidence: 0.93,
      isLow: false,
      otherLowPages: [
        { page: 5, confidence: 0.4 },
        { page: 2, confidence: 0.61 },
        { page: 3, confidence: 0.79 },
      ],
    });
    expect(describePageRecognition(pages, 5)).toMatchObject({ confidence: 0.4, isLow: true });
    expect(describePageRecognition(pages, 5).otherLowPages.map(({ page }) => page)).toEqual([2, 3]);
  });

  it('describePageRecognition returns no confidence for a page whose text does not come from OCR', () => {
    const pages = { ...COUNTS, confidences: [{ page: 1, confidence: 93 }] };
    expect(describePageRecognition(pages, 6)).toEqual({ confidence: undefined, isLow: false, otherLowPages: [] });
  });

  it('describePageRecognition returns no confidence for a document without pages or without text from OCR', () => {
    const nothing = { confidence: undefined, isLow: false, otherLowPages: [] };
    expect(describePageRecognition(null, 1)).toEqual(nothing);
    expect(describePageRecognition({ ...COUNTS, confidences: [] }, 1)).toEqual(nothing);
  });
});
