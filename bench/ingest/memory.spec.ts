import { describe, expect, it } from 'vitest';
import { growth } from './memory.js';

describe('the growth of memory', () => {
  it('is the last quarter against the second', () => {
    expect(growth([1, 1, 100, 100, 100, 100, 150, 150])).toBe(1.5);
    expect(growth([10, 100, 100, 100])).toBe(1);
  });
});
