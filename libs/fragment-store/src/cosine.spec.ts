import { describe, expect, it } from 'vitest';
import { computeCosine } from './cosine.js';

const createVector = (...values: readonly number[]): Float32Array => Float32Array.from(values);

describe('computeCosine', () => {
  it('computeCosine does not depend on the magnitudes of the vectors', () => {
    expect(computeCosine(createVector(3, 4), createVector(6, 8))).toBeCloseTo(1);
    expect(computeCosine(createVector(3, 4), createVector(-30, -40))).toBeCloseTo(-1);
    expect(computeCosine(createVector(3, 4), createVector(4, 3))).toBeCloseTo(0.96);
  });

  it('computeCosine returns 0 for a zero vector, because NaN would have no rank', () => {
    expect(computeCosine(createVector(0, 0), createVector(1, 0))).toBe(0);
    expect(computeCosine(createVector(1, 0), createVector(0, 0))).toBe(0);
  });
});
