import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { selectFocusedEvidence } from './select-focused-evidence.js';

const MARGIN = createScoredFragment('The gross margin was 361 million.');
const TAX = createScoredFragment('The margin for error of the tax estimate is small.');

describe('selectFocusedEvidence', () => {
  it('selectFocusedEvidence returns the fragments that contain a two-word phrase of the parameter `focus`', () => {
    expect(selectFocusedEvidence([TAX, MARGIN], 'gross margin latest stated')).toEqual([MARGIN]);
  });

  it('selectFocusedEvidence returns the fragments that contain at least 70 % of the words of the parameter `focus`', () => {
    expect(selectFocusedEvidence([TAX, MARGIN], 'estimate tax')).toEqual([TAX]);
  });

  it('selectFocusedEvidence returns nothing if no fragment contains enough words of the parameter `focus`', () => {
    expect(selectFocusedEvidence([TAX, MARGIN], 'suppliers batteries lamps')).toEqual([]);
  });
});
