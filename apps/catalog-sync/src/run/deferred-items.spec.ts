import { createListedItem } from '@quarry/item-listing';
import { createFakeItem, formatDateAfter } from '@quarry/item-listing/testing';
import { describe, expect, it } from 'vitest';
import { DeferredItems } from './deferred-items.js';

const createItem = (id: string, ms: number) => createListedItem(createFakeItem(id, ms));

describe('the deferred items of a run', () => {
  it('an item that was deferred before an interruption of its run is not counted again', () => {
    const interrupted = new DeferredItems(undefined);
    interrupted.addItem(createItem('a', 5));
    interrupted.addItem(createItem('b', 7));
    const resumed = new DeferredItems(interrupted.toCheckpoint());
    resumed.addItem(createItem('a', 9));
    resumed.addItem(createItem('c', 9));
    expect([resumed.count, resumed.after]).toEqual([3, formatDateAfter(4)]);
  });

  it('the checkpoint of 5,000 deferred items has less than 20,000 bytes', () => {
    const items = new DeferredItems(undefined);
    for (let item = 0; item < 5_000; item += 1) items.addItem(createItem(`item ${item}`, item));
    expect(items.count).toBe(5_000);
    expect(JSON.stringify(items.toCheckpoint()).length).toBeLessThan(20_000);
  });
});
