import { array, assert, integer, oneof, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { HashedKeySet } from './hashed-key-set.js';

it('after the same keys were added, a HashedKeySet and a Set have the same size and contain the same keys', () => {
  const key = oneof(
    string(),
    integer({ min: 0, max: 9 }).map((number) => `item:${number}`),
  );
  assert(
    property(array(key, { maxLength: 40 }), array(key, { maxLength: 10 }), (added, others) => {
      const [hashed, exact] = [new HashedKeySet(), new Set<string>()];
      for (const one of [...added, ...added]) {
        hashed.add(one);
        exact.add(one);
        expect(hashed.size).toBe(exact.size);
      }
      for (const one of [...added, ...others]) expect(hashed.has(one)).toBe(exact.has(one));
    }),
  );
});

it('a HashedKeySet of 100,000 keys counts each key once, and does not contain another key', () => {
  const hashed = new HashedKeySet();
  for (let number = 0; number < 100_000; number += 1) hashed.add(`item:${number}`);
  expect(hashed.size).toBe(100_000);
  expect(hashed.has('item:99999')).toBe(true);
  expect(hashed.has('item:100000')).toBe(false);
});

it('a call of `add` moves fewer than 2,000 keys of a HashedKeySet, so that the call does not block the event loop', () => {
  const hashed = new HashedKeySet();
  for (let number = 0; number < 200_000; number += 1) hashed.add(`item:${number}`);
  expect(hashed.maxMovedKeys).toBeGreaterThan(0);
  expect(hashed.maxMovedKeys).toBeLessThan(2_000);
});
