import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePageUrl } from './parse-page-url.js';

describe('parsePageUrl', () => {
  it.each([
    ['https://example.com/a?b=2&a=1', 'https://example.com/a?b=2&a=1'],
    ['https://example.com/a?utm_source=x&id=7', 'https://example.com/a?utm_source=x&id=7'],
    ['https://example.com/%7euser;jsessionid=0A1B', 'https://example.com/%7euser;jsessionid=0A1B'],
    ['https://example.com./a?', 'https://example.com./a?'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['  https://example.com/a b\n', 'https://example.com/a%20b'],
  ])('parses %j as %s', (given, expected) => {
    expect(parsePageUrl(given)).toBe(expected);
  });

  it('resolves a relative URL', () => {
    expect(parsePageUrl('../up?z=1&a=2', 'https://example.com/a/b/c')).toBe('https://example.com/a/up?z=1&a=2');
  });

  it.each([
    'mailto:a@b.example',
    'javascript:void(0)',
    'ftp://example.com/',
    'https://user:secret@example.com/',
    'https://./',
    'no url',
    '',
    `https://example.com/${'a'.repeat(3_000)}`,
  ])('returns undefined for %j', (given) => {
    expect(parsePageUrl(given)).toBeUndefined();
  });

  it('does not change query parameters', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9%_.-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (names) => {
        const url = `https://example.com/p?${names.map((name, at) => `${name}=${at}`).join('&')}`;
        expect(parsePageUrl(url)).toBe(url);
      }),
    );
  });
});
