import type { NewFragment } from '@quarry/fragment-store';
import { createSampleFragment } from '@quarry/fragment-store/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPointBatches } from './point-batches.js';

const MEGABYTE = 1 << 20;

describe('batches of points', () => {
  const listOrdinals = async (fragments: readonly NewFragment[]): Promise<number[][]> => {
    const found: number[][] = [];
    for await (const batch of buildPointBatches(fragments, (_, ordinal) => ordinal)) found.push(batch);
    return found;
  };

  it('buildPointBatches yields every fragment once, in order, and at most 500 fragments per batch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 2 * MEGABYTE }), { maxLength: 40 }), async (lengths) => {
        const result = await listOrdinals(
          lengths.map((length) => createSampleFragment('x'.repeat(length), { vector: null })),
        );
        expect(result.flat()).toEqual(lengths.map((_, at) => at));
        expect(result.every((batch) => batch.length > 0)).toBe(true);
      }),
      { numRuns: 20 },
    );
    const small = Array.from({ length: 1_201 }, () => createSampleFragment('x'));
    expect((await listOrdinals(small)).map((batch) => batch.length)).toEqual([500, 500, 201]);
  });

  it('buildPointBatches yields no batch above the request limit of the server, however long the vectors and texts are', async () => {
    const vector = new Float32Array(8_192).fill(-0.123_456_7);
    const fragments = Array.from({ length: 400 }, () => createSampleFragment('\u0001'.repeat(2_000), { vector }));
    for await (const batch of buildPointBatches(fragments, ({ text, vector: v }) => ({
      text,
      vector: v && Array.from(v),
    }))) {
      expect(JSON.stringify(batch).length).toBeLessThan(32 * MEGABYTE);
    }
    expect((await listOrdinals(fragments)).length).toBeGreaterThan(4);
  });
});
