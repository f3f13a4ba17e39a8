import type { Page, Validators } from '../pages/page.js';
import type { PageContent } from './page-record.js';

/** What is recorded of a page that was just had. */
export function contentOf(
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

/** What to ask with for a page that has content already. */
export function validatorsIn(content: PageContent | undefined): Validators | undefined {
  if (content === undefined) return undefined;
  const { etag, lastModified } = content;
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
