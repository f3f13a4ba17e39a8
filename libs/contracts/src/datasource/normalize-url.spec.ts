import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePercentEscapes, normalizeUrl, parsePageUrl } from './normalize-url.js';

const normalizeText = (text: string, base?: string): string | undefined => {
  const url = parsePageUrl(text, base);
  return url === undefined ? undefined : normalizeUrl(url);
};

describe('normalizeUrl', () => {
  it.each([
    ['HTTP://Example.COM:80/Path', 'http://example.com/Path'],
    ['https://example.com:443', 'https://example.com/'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://example.com/a/./b/../c', 'https://example.com/a/c'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['https://example.com/%7euser/%e4%b8%ad', 'https://example.com/~user/%E4%B8%AD'],
    ['https://example.com/中', 'https://example.com/%E4%B8%AD'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com/a?', 'https://example.com/a'],
    ['https://example.com/a?b=2&a=1&b=1', 'https://example.com/a?a=1&b=2&b=1'],
    ['https://example.com/a?utm_source=x&id=7&fbclid=y&UTM_Medium=z', 'https://example.com/a?id=7'],
    ['https://example.com/a?sid=0123456789abcdef0123456789abcdef&t=7', 'https://example.com/a?t=7'],
    ['https://example.com/a?sid=12&osCsid=x&session_id=y', 'https://example.com/a?sid=12'],
    ['https://example.com/a;jsessionid=0A1B?x=1', 'https://example.com/a?x=1'],
    ['  https://example.com/a b\n', 'https://example.com/a%20b'],
  ])('normalizeUrl normalizes %s to %s', (given, expected) => {
    expect(normalizeText(given)).toBe(expected);
  });

  it.each([
    ['../up?x=1', 'https://example.com/a/b/c', 'https://example.com/a/up?x=1'],
    ['//cdn.example/x', 'https://example.com/', 'https://cdn.example/x'],
    ['?page=2', 'https://example.com/list', 'https://example.com/list?page=2'],
    ['', 'https://example.com/list?a=1', 'https://example.com/list?a=1'],
  ])('parsePageUrl resolves %j relative to %s, and normalizeUrl normalizes the result', (given, base, expected) => {
    expect(normalizeText(given, base)).toBe(expected);
  });

  it('normalizeUrl returns different results for URLs that can identify different pages', () => {
    const paths = ['/a', '/a/', '/A', '/a//', '/a?x', '/a?x=', '/a?x=1', '/a?x=1&x=2', '/a?x=2&x=1', '/a%2Fb', '/a/b'];
    const normalized = paths.map((path) => normalizeText(`https://example.com${path}`));
    expect(new Set(normalized).size).toBe(paths.length);
  });

  const piece = fc.stringMatching(/^[a-zA-Z0-9%/.;&=?~+ü -]{0,24}$/);
  const url = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.tuple(piece, piece).map(([path, query]) => `https://example.com/${path}?${query}`),
  );

  it('normalizeUrl returns a normalized URL unchanged', () => {
    fc.assert(
      fc.property(url, (given) => {
        const once = normalizeText(given);
        if (once !== undefined) expect(normalizeText(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('normalizePercentEscapes decodes nested escapes in linear time', () => {
    expect(normalizePercentEscapes('%%37E and %2f')).toBe('~ and %2F');
    expect(normalizePercentEscapes(`${'%3'.repeat(500_000)}7`)).toBe('7');
  });

  it('normalizeUrl ignores the fragment, tracking parameters and the order of parameters', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 5 }), word, (names, fragment) => {
        const query = names.map((name) => `q${name}=1`);
        const plain = normalizeText(`https://example.com/p?${query.join('&')}`);
        const noisy = [...query].reverse().concat('utm_source=mail').join('&');
        expect(normalizeText(`https://EXAMPLE.com:443/x/../p?${noisy}#${fragment}`)).toBe(plain);
      }),
    );
  });
});

describe('parsePageUrl', () => {
  it.each([
    ['https://example.com/a?b=2&a=1', 'https://example.com/a?b=2&a=1'],
    ['https://example.com/a?utm_source=x&id=7', 'https://example.com/a?utm_source=x&id=7'],
    ['https://example.com/%7euser;jsessionid=0A1B', 'https://example.com/%7euser;jsessionid=0A1B'],
    ['https://example.com./a?', 'https://example.com./a?'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['  https://example.com/a b\n', 'https://example.com/a%20b'],
  ])('parsePageUrl parses %j as %s', (given, expected) => {
    expect(parsePageUrl(given)).toBe(expected);
  });

  it('parsePageUrl resolves a relative URL', () => {
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
  ])('parsePageUrl returns undefined for %j', (given) => {
    expect(parsePageUrl(given)).toBeUndefined();
  });

  it('parsePageUrl does not change query parameters', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9%_.-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (names) => {
        const url = `https://example.com/p?${names.map((name, at) => `${name}=${at}`).join('&')}`;
        expect(parsePageUrl(url)).toBe(url);
      }),
    );
  });
});
