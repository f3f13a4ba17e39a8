import { describe, expect, it } from 'vitest';
import { growth } from './sample-memory.js';

describe('the growth of memory', () => {
  it('is the ratio of the last quarter to the second quarter', () => {
    expect(growth([1, 1, 100, 100, 100, 100, 150, 150])).toBe(1.5);
    expect(growth([10, 100, 100, 100])).toBe(1);
  });
});
