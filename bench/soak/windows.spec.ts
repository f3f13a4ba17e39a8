import { describe, expect, it } from 'vitest';
import { computeWindowMeans, createResourceRows, formatResourceRows } from './windows.js';

describe('the windows of a soak run', () => {
  it('computeWindowMeans returns the mean of each window of samples, including a shorter last window', () => {
    expect(computeWindowMeans([1, 3, 5, 7, 10], 2)).toEqual([2, 6, 10]);
  });

  it('formatResourceRows formats a table with a column for the mean of each window, and one for the growth after the warm-up', () => {
    const samples = [100, 50, 50, 100].map((memory) => ({ memory }));
    expect(formatResourceRows(createResourceRows(samples, 2), 5)).toEqual([
      '| resource | 5 | 10 | most | last | growth |',
      '| --- | --- | --- | --- | --- | --- |',
      '| memory | 75 | 75 | 100 | 100 | 2.00 |',
    ]);
  });
});
