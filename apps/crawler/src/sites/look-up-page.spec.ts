import { describe, expect, it } from 'vitest';
import { EXTRACTION_VERSION } from '../pages/read-page.js';
import type { PageContent } from './page-records.js';
import { isUnchangedBySitemap } from './look-up-page.js';

/** The content in a record of an earlier version of Quarry. */
const OLDER_CONTENT: PageContent = {
  source: 'https://example.com/a',
  name: 'A',
  mimeType: 'text/markdown',
  metadata: {},
  contentHash: 'x',
  links: [],
  sitemapModified: '2026-01-01',
  confirmedAt: '2026-01-05T00:00:00Z',
};
const CONTENT: PageContent = { ...OLDER_CONTENT, extractionVersion: EXTRACTION_VERSION };
const isUnchangedOn = (
  date: string,
  content: Partial<PageContent> = {},
  modified = content.sitemapModified ?? '2026-01-01',
): boolean => isUnchangedBySitemap({ ...CONTENT, ...content }, modified, Date.parse(date));

describe('isUnchangedBySitemap', () => {
  it('isUnchangedBySitemap returns true if the modification date in the sitemap is unchanged', () => {
    expect(isUnchangedOn('2026-01-06')).toBe(true);
  });

  it('isUnchangedBySitemap returns false if the modification date in the sitemap is changed or missing', () => {
    expect(isUnchangedOn('2026-01-06', {}, '2026-01-04')).toBe(false);
    expect(isUnchangedBySitemap(CONTENT, undefined, Date.parse('2026-01-06'))).toBe(false);
  });

  it('isUnchangedBySitemap returns false for a page with an ETag or Last-Modified header', () => {
    expect(isUnchangedOn('2026-01-06', { etag: '"x"' })).toBe(false);
    expect(isUnchangedOn('2026-01-06', { lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' })).toBe(false);
  });

  it('isUnchangedBySitemap returns false a week after the page was fetched', () => {
    expect(isUnchangedOn('2026-01-11')).toBe(true);
    expect(isUnchangedOn('2026-01-13')).toBe(false);
  });

  it('isUnchangedBySitemap returns false after the `unavailable_after` date of the page', () => {
    expect(isUnchangedOn('2026-01-06', { unavailableAfter: '2026-01-07T00:00:00.000Z' })).toBe(true);
    expect(isUnchangedOn('2026-01-08', { unavailableAfter: '2026-01-07T00:00:00.000Z' })).toBe(false);
  });

  it('isUnchangedBySitemap returns false for content that another version of the crawler extracted', () => {
    expect(isUnchangedOn('2026-01-06', { extractionVersion: EXTRACTION_VERSION - 1 })).toBe(false);
    expect(isUnchangedBySitemap(OLDER_CONTENT, '2026-01-01', Date.parse('2026-01-06'))).toBe(false);
  });

  it('isUnchangedBySitemap returns false if the page was fetched on the day of its modification date', () => {
    expect(isUnchangedOn('2026-01-02', { confirmedAt: '2026-01-01T12:00:00Z' })).toBe(false);
    expect(
      isUnchangedOn('2026-01-02', { confirmedAt: '2026-01-01T12:00:00Z', sitemapModified: '2026-01-01T11:00:00Z' }),
    ).toBe(true);
    expect(
      isUnchangedOn('2026-01-02', { confirmedAt: '2026-01-01T12:00:00Z', sitemapModified: '2026-01-01T13:00:00Z' }),
    ).toBe(false);
  });

  it('isUnchangedBySitemap returns false if the modification date is invalid', () => {
    expect(isUnchangedOn('2026-01-06', { sitemapModified: 'yesterday' })).toBe(false);
  });
});
