import { createListedItem } from '@quarry/item-listing';
import { createFakeItem } from '@quarry/item-listing/testing';
import { describe, expect, it } from 'vitest';
import { createSyncJob } from '../testing/sync-bench.js';
import { CODE_VERSIONS, computeListingHash, createItemVersionFunction } from './listing-state.js';

const JOB = createSyncJob();
const ITEM = createListedItem(createFakeItem('a', 1));

describe('the versions of the code that determines the fragments of an item', () => {
  it.each(['form', 'indexing', 'analysis'] as const)(
    'after a change of the version `%s`, a sync reads the whole listing, and each item has another version',
    (name) => {
      const changed = { ...CODE_VERSIONS, [name]: CODE_VERSIONS[name] + 1 };
      expect(computeListingHash(JOB, changed)).not.toBe(computeListingHash(JOB));
      expect(createItemVersionFunction(JOB, changed)(ITEM)).not.toBe(createItemVersionFunction(JOB)(ITEM));
    },
  );

  it('while the versions are the same, the hashes of a listing and of an item are the same', () => {
    const same = { ...CODE_VERSIONS };
    expect(computeListingHash(JOB, same)).toBe(computeListingHash(JOB));
    expect(createItemVersionFunction(JOB, same)(ITEM)).toBe(createItemVersionFunction(JOB)(ITEM));
  });
});
