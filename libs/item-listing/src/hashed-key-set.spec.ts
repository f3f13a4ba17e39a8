import { array, assert, integer, oneof, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { HashedKeySet } from './hashed-key-set.js';

it('a set of hashed keys contains the same keys as a Set', () => {
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

it('a set of hashed keys counts 100,000 keys, and no key that was not added', () => {
  const hashed = new HashedKeySet();
  for (let number = 0; number < 100_000; number += 1) hashed.add(`item:${number}`);
  expect(hashed.size).toBe(100_000);
  expect(hashed.has('item:99999')).toBe(true);
  expect(hashed.has('item:100000')).toBe(false);
});

it('adding a key moves few of the other keys, so that the event loop is not blocked', () => {
  const hashed = new HashedKeySet();
  for (let number = 0; number < 200_000; number += 1) hashed.add(`item:${number}`);
  expect(hashed.maxMovedKeys).toBeGreaterThan(0);
  expect(hashed.maxMovedKeys).toBeLessThan(2_000);
});
