import { expect, it } from 'vitest';
import { pickChanges } from './use-draft.js';

it('pickChanges returns the fields that differ, and compares lists by their items', () => {
  const before = { name: 'Support', ids: ['a'], limit: null };
  expect(pickChanges(before, { name: 'Support', ids: ['a'], limit: null })).toEqual({});
  expect(pickChanges<object>(before, { name: 'Sales', ids: ['a', 'b'], limit: 0 })).toEqual({
    name: 'Sales',
    ids: ['a', 'b'],
    limit: 0,
  });
});

it('pickChanges returns a field that is absent before', () => {
  expect(pickChanges<object>({}, { name: '' })).toEqual({ name: '' });
});
