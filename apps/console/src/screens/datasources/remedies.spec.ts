import { describe, expect, it } from 'vitest';
import { findRemedy } from './remedies.js';

describe('findRemedy', () => {
  it('findRemedy returns the key of the advice for a failure code', () => {
    expect(findRemedy('file_encrypted')).toBe('password');
    expect(findRemedy('listing_not_json')).toBe('listing');
    expect(findRemedy('listing_unauthorized')).toBe('headers');
    expect(findRemedy('listing_timeout')).toBe('later');
    expect(findRemedy('run_lost')).toBe('sync');
  });
});
