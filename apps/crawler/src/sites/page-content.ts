import type { Page } from '../pages/page.js';
import type { Validators } from '../pages/validators.js';
import type { PageContent } from './page-record.js';

/** Builds the description of a fetched page's content that is stored in its record. */
export function buildPageContent(
  page: Page,
  validators: Validators,
  { confirmedAt, sitemapModified }: { readonly confirmedAt: string; readonly sitemapModified?: string | undefined },
): PageContent {
  const { source, name, mimeType, metadata, contentHash, canonical, links } = page;
  return {
    ...{ source, name, mimeType, metadata, contentHash, links, confirmedAt },
    ...validators,
    ...(canonical !== undefined && { canonical }),
    ...(sitemapModified !== undefined && { sitemapModified }),
  };
}

/** Returns the ETag and modification date of stored content, for a conditional request. */
export function getValidators(content: PageContent | undefined): Validators | undefined {
  if (content === undefined) return undefined;
  const { etag, lastModified } = content;
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
