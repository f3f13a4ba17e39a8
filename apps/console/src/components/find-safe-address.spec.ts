import { describe, expect, it } from 'vitest';
import { findSafeAddress } from './find-safe-address.js';

describe('findSafeAddress', () => {
  it.each(['https://example.com/a?b=c', 'http://example.com/', 'mailto:a@example.com'])(
    'findSafeAddress returns %s unchanged',
    (address) => {
      expect(findSafeAddress(address)).toBe(address);
    },
  );

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/x',
    '//example.com',
    '/agents',
    '',
  ])('findSafeAddress returns undefined for the address %j', (address) => {
    expect(findSafeAddress(address)).toBeUndefined();
  });
});
