import { describe, expect, it } from 'vitest';
import { parseWebAddress } from './web-address.js';

describe('parseWebAddress', () => {
  it('parseWebAddress returns a normalized http or https address', () => {
    expect(parseWebAddress('https://example.org/a?b=1')).toBe('https://example.org/a?b=1');
    expect(parseWebAddress('http://example.org')).toBe('http://example.org/');
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'a',
    '',
  ])('parseWebAddress returns undefined for %j, which is no http or https address', (value) => {
    expect(parseWebAddress(value)).toBeUndefined();
  });

  it('parseWebAddress returns undefined for an absent address', () => {
    expect(parseWebAddress(null)).toBeUndefined();
    expect(parseWebAddress(undefined)).toBeUndefined();
  });
});
