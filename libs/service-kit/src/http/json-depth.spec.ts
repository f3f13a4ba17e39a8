import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonDeeperThan } from './json-depth.js';

function getDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(getDepth));
}

const brackets = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a', 'é', '🙂', '\n') });
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 8 },
    brackets,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(brackets, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('isJsonDeeperThan', () => {
  it('isJsonDeeperThan returns false if the limit is the depth of the JSON, and true if the limit is one level less', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, isIndented) => {
        const text = Buffer.from(JSON.stringify(value, undefined, isIndented ? 1 : undefined));
        const depth = getDepth(value);
        expect(isJsonDeeperThan(depth, text)).toBe(false);
        expect(isJsonDeeperThan(depth - 1, text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('isJsonDeeperThan does not throw for text that is not JSON', () => {
    fc.assert(fc.property(brackets, (text) => typeof isJsonDeeperThan(100, Buffer.from(text)) === 'boolean'));
  });

  it('isJsonDeeperThan can read strings of a million backslashes or quotes', () => {
    const text = Buffer.from(`["${'\\\\'.repeat(500_000)}","${'\\"'.repeat(500_000)}"]`);
    expect(isJsonDeeperThan(1, text)).toBe(false);
  });
});
