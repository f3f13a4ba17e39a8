import type { DatasourceFragment } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { getFragmentSearchState, type LoadedFragments } from './use-document.js';

const LIMIT = 3;
const FAILURE = new Error('the server does not respond');

function createList(count: number, state: { hasMore: boolean; error?: Error; nextError?: Error }): LoadedFragments {
  return {
    // The function reads no other field of a fragment.
    items: Array.from({ length: count }, (_, at) => ({ id: `f${at}` }) as DatasourceFragment),
    isPending: false,
    error: state.error ?? null,
    more: { hasMore: state.hasMore, error: state.nextError ?? null },
  };
}

describe('getFragmentSearchState', () => {
  it('the search is running until the limit of loaded fragments is reached, and then paused', () => {
    expect(getFragmentSearchState('f9', createList(2, { hasMore: true }), LIMIT)).toBe('running');
    expect(getFragmentSearchState('f9', createList(3, { hasMore: true }), LIMIT)).toBe('paused');
    expect(getFragmentSearchState('f9', createList(3, { hasMore: true }), LIMIT + 1)).toBe('running');
  });

  it('a fragment counts as missing only after all fragments are loaded', () => {
    expect(getFragmentSearchState('f9', createList(2, { hasMore: false }), LIMIT)).toBe('missing');
    expect(getFragmentSearchState('f9', createList(8, { hasMore: false }), LIMIT)).toBe('missing');
    const pending = { ...createList(0, { hasMore: false }), isPending: true };
    expect(getFragmentSearchState('f9', pending, LIMIT)).toBe('running');
  });

  it('a failed request pauses the search', () => {
    expect(getFragmentSearchState('f9', createList(2, { hasMore: true, nextError: FAILURE }), LIMIT)).toBe('paused');
    expect(getFragmentSearchState('f9', createList(0, { hasMore: false, error: FAILURE }), LIMIT)).toBe('paused');
  });

  it('the search ends when the selected fragment is loaded, and does not start without a selected fragment', () => {
    expect(getFragmentSearchState('f1', createList(2, { hasMore: true }), LIMIT)).toBe('found');
    expect(getFragmentSearchState(undefined, createList(2, { hasMore: true }), LIMIT)).toBe('found');
  });
});
