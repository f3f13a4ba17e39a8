import { describe, expect, it } from 'vitest';
import { createSiteScope } from '../urls/site-scope.js';
import { shouldRequestPage } from './should-request-page.js';

const scope = createSiteScope('https://example.com/docs/', {});

describe('shouldRequestPage', () => {
  it('shouldRequestPage accepts a page in scope', () => {
    expect(shouldRequestPage({ scope }, 'https://example.com/docs/start')).toBe(true);
  });

  it.each([
    ['a page out of scope', 'https://example.com/blog/start'],
    ['an asset', 'https://example.com/docs/logo.png'],
    ['a crawler trap', 'https://example.com/docs/a/b/a/b/a/b/a/b'],
  ])('shouldRequestPage rejects %s', (_, url) => {
    expect(shouldRequestPage({ scope }, url)).toBe(false);
  });
});
