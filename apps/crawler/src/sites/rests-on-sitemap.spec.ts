import { describe, expect, it } from 'vitest';
import type { PageContent } from './page-record.js';
import { restsOnSitemap } from './rests-on-sitemap.js';

const CONTENT: PageContent = {
  source: 'https://example.com/a',
  name: 'A',
  mimeType: 'text/markdown',
  metadata: {},
  contentHash: 'x',
  links: [],
  sitemapModified: '2026-01-01',
  confirmedAt: '2026-01-05T00:00:00Z',
};
const on = (
  date: string,
  content: Partial<PageContent> = {},
  modified = content.sitemapModified ?? '2026-01-01',
): boolean => restsOnSitemap({ ...CONTENT, ...content }, modified, Date.parse(date));

describe('restsOnSitemap', () => {
  it('believes a date that is as it was', () => {
    expect(on('2026-01-06')).toBe(true);
  });

  it('does not when the date is another, or there is none', () => {
    expect(on('2026-01-06', {}, '2026-01-04')).toBe(false);
    expect(restsOnSitemap(CONTENT, undefined, Date.parse('2026-01-06'))).toBe(false);
  });

  it('does not where the server lets pages be recognised', () => {
    expect(on('2026-01-06', { etag: '"x"' })).toBe(false);
    expect(on('2026-01-06', { lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' })).toBe(false);
  });

  it('does not for longer than a week', () => {
    expect(on('2026-01-11')).toBe(true);
    expect(on('2026-01-13')).toBe(false);
  });

  it('does not when the page may have changed again on the day that it was had', () => {
    expect(on('2026-01-02', { confirmedAt: '2026-01-01T12:00:00Z' })).toBe(false);
    expect(on('2026-01-02', { confirmedAt: '2026-01-01T12:00:00Z', sitemapModified: '2026-01-01T11:00:00Z' })).toBe(
      true,
    );
    expect(on('2026-01-02', { confirmedAt: '2026-01-01T12:00:00Z', sitemapModified: '2026-01-01T13:00:00Z' })).toBe(
      false,
    );
  });

  it('does not believe what is no date', () => {
    expect(on('2026-01-06', { sitemapModified: 'yesterday' })).toBe(false);
  });
});
