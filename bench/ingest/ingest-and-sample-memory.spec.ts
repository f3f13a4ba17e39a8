import { describe, expect, it } from 'vitest';
import { computeMemoryGrowth } from './ingest-and-sample-memory.js';

describe('the growth of memory', () => {
  it('memory growth is the mean of the last quarter of the samples, divided by the mean of the second quarter', () => {
    expect(computeMemoryGrowth([1, 1, 100, 100, 100, 100, 150, 150])).toBe(1.5);
    expect(computeMemoryGrowth([10, 100, 100, 100])).toBe(1);
  });
});
