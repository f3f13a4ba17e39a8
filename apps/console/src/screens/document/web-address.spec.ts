import { describe, expect, it } from 'vitest';
import { getWebAddress } from './web-address.js';

describe('getWebAddress', () => {
  it('getWebAddress returns http and https addresses', () => {
    expect(getWebAddress('https://example.org/a?b=1')).toBe('https://example.org/a?b=1');
    expect(getWebAddress('http://example.org')).toBe('http://example.org/');
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'a',
    '',
  ])('getWebAddress returns undefined for %j', (value) => {
    expect(getWebAddress(value)).toBeUndefined();
  });

  it('getWebAddress returns undefined for an absent address', () => {
    expect(getWebAddress(null)).toBeUndefined();
    expect(getWebAddress(undefined)).toBeUndefined();
  });
});
