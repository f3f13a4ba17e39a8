import { describe, expect, it } from 'vitest';
import { isCrawlerTrap, createSiteScope } from './site-scope.js';

describe('createSiteScope', () => {
  it.each([
    ['https://example.com/', 'https://example.com/any/page', true],
    ['https://example.com/', 'https://www.example.com/any', true],
    ['https://www.example.com/', 'http://example.com/any', true],
    ['https://example.com/', 'https://docs.example.com/', false],
    ['https://example.com/', 'https://example.com.evil.example/', false],
    ['https://example.com/', 'https://notexample.com/', false],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/a', true],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8081/a', false],
    ['https://example.com/docs/', 'https://example.com/docs/a', true],
    ['https://example.com/docs/', 'https://example.com/blog/a', false],
    ['https://example.com/docs/index.html', 'https://example.com/docs/a', true],
    ['https://example.com/docs', 'https://example.com/blog/a', true],
  ])('a site scope with the root %s decides whether the URL %s is in scope: %s', (root, url, expected) => {
    expect(createSiteScope(root, {}).includes(url)).toBe(expected);
  });

  it('a site scope compares a host of many dots in linear time, and ignores the trailing dots of a host', () => {
    const scope = createSiteScope('https://example.com/', {});
    const dots = '.'.repeat(1_000_000);
    expect(scope.includes(`https://example.com${dots}b/`)).toBe(false);
    expect(scope.includes(`https://example.com${dots}/`)).toBe(true);
  });

  it('a site scope uses the include rules instead of the directory of the root', () => {
    const scope = createSiteScope('https://example.com/docs/', { include: ['/blog/', '/*.pdf$'] });
    expect(scope.includes('https://example.com/blog/2026')).toBe(true);
    expect(scope.includes('https://example.com/files/a.pdf')).toBe(true);
    expect(scope.includes('https://example.com/files/a.pdf?x=1')).toBe(false);
    expect(scope.includes('https://example.com/docs/a')).toBe(false);
  });

  it('a site scope gives exclude rules precedence over include rules', () => {
    const scope = createSiteScope('https://example.com/', { include: ['/'], exclude: ['/tag/', '/*?print='] });
    expect(scope.includes('https://example.com/tag/a')).toBe(false);
    expect(scope.includes('https://example.com/a?print=1')).toBe(false);
    expect(scope.includes('https://example.com/a')).toBe(true);
  });
});

describe('isCrawlerTrap', () => {
  it.each([
    ['https://example.com/a/b/c/d', false],
    ['https://example.com/2026/01/01/01', false],
    ['https://example.com/a/b/a/b/a/b/a/b', true],
  ])('isCrawlerTrap detects whether %s is a crawler trap: %s', (url, expected) => {
    expect(isCrawlerTrap(url)).toBe(expected);
  });
});
