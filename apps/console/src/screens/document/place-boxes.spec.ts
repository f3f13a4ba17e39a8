import { describe, expect, it } from 'vitest';
import { findFirstPage, findLastPage, listPageBoxes } from './place-boxes.js';

const FIRST = {
  id: 'first',
  page: 2,
  rectangles: [
    { page: 2, x: 0.1, y: 0.25, width: 0.5, height: 0.02 },
    { page: 3, x: 0.1, y: 0.05, width: 0.3, height: 0.02 },
  ],
};
const LARGE = { id: 'large', page: 2, rectangles: [{ page: 2, x: 0, y: 0, width: 1, height: 0.5 }] };
const TEXT = { id: 'text', page: null, rectangles: [] };

describe('listPageBoxes', () => {
  it('listPageBoxes returns only the rectangles on the given page, in percent of the width and height of the page', () => {
    expect(listPageBoxes([FIRST], 3)).toEqual([{ fragmentId: 'first', left: 10, top: 5, width: 30, height: 2 }]);
  });

  it('listPageBoxes returns large boxes first, so that small boxes lie above large boxes', () => {
    expect(listPageBoxes([FIRST, LARGE], 2).map(({ fragmentId }) => fragmentId)).toEqual(['large', 'first']);
  });
});

describe('the first pages of fragments', () => {
  it('findFirstPage returns the page of the first rectangle of a fragment, or its field `page` if it has no rectangles', () => {
    expect(findFirstPage(FIRST)).toBe(2);
    expect(findFirstPage({ ...TEXT, page: 7 })).toBe(7);
    expect(findFirstPage(TEXT)).toBeNull();
  });

  it('findLastPage returns the last page of the fragments, including a page on which a fragment only continues', () => {
    expect(findLastPage([FIRST, TEXT])).toBe(3);
    expect(findLastPage([TEXT])).toBe(0);
  });
});
