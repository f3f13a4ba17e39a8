import { describe, expect, it } from 'vitest';
import { changeSelection } from './change-selection.js';

const IDS = ['a', 'b', 'c', 'd', 'e'];

describe('changeSelection', () => {
  it('changeSelection selects and deselects one row', () => {
    expect([...changeSelection(IDS, new Set(['a']), { id: 'c', isSelected: true, from: undefined })]).toEqual([
      'a',
      'c',
    ]);
    expect([...changeSelection(IDS, new Set(['a', 'c']), { id: 'a', isSelected: false, from: undefined })]).toEqual([
      'c',
    ]);
  });

  it('changeSelection changes all rows of a range, whether it was selected upwards or downwards', () => {
    expect([...changeSelection(IDS, new Set(['b']), { id: 'd', isSelected: true, from: 'b' })]).toEqual([
      'b',
      'c',
      'd',
    ]);
    expect([...changeSelection(IDS, new Set(['d']), { id: 'b', isSelected: true, from: 'd' })]).toEqual([
      'd',
      'b',
      'c',
    ]);
    expect([...changeSelection(IDS, new Set(IDS), { id: 'd', isSelected: false, from: 'b' })]).toEqual(['a', 'e']);
  });

  it('changeSelection changes only the clicked row if the other end of the range is no longer in the list', () => {
    expect([...changeSelection(IDS, new Set(), { id: 'd', isSelected: true, from: 'gone' })]).toEqual(['d']);
  });
});
