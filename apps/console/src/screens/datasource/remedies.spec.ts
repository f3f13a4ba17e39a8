import { describe, expect, it } from 'vitest';
import { findMassRemoval, findRemedy } from './remedies.js';

describe('findRemedy', () => {
  it('finds the next step by the code of a failure', () => {
    expect(findRemedy('file_encrypted')).toBe('password');
    expect(findRemedy('listing_not_json')).toBe('listing');
    expect(findRemedy('run_lost')).toBe('sync');
  });
});

describe('findMassRemoval', () => {
  it('reads the numbers from the note of a run that kept missing documents', () => {
    const note =
      '40 of 90 known documents were not found again, or are now excluded. They are kept, because so many at once suggest a fault of the source. The first: a, b. To remove them, sync with allowMassRemoval=true.';
    expect(findMassRemoval(note)).toEqual({ missing: 40, known: 90 });
    const dryRun =
      'A dry run, which changed nothing: 50 unchanged. 40 of 90 known documents were not found again. Only a sync with allowMassRemoval=true would remove them.';
    expect(findMassRemoval(dryRun)).toEqual({ missing: 40, known: 90 });
  });

  it('ignores other notes', () => {
    expect(findMassRemoval(null)).toBeUndefined();
    expect(findMassRemoval('3 of 90 known documents would be removed.')).toBeUndefined();
  });
});
