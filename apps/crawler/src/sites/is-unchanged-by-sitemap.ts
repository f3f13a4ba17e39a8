import type { PageContent } from './page-record.js';

const DAY_MS = 24 * 60 * 60_000;
/** Time after which a page is fetched even if its modification date in the sitemap is unchanged, because it can be wrong. */
const MAX_TRUST_MS = 7 * DAY_MS;

/**
 * Returns whether the modification date in the sitemap proves that a page is unchanged. Applies only to pages without validators:
 * a conditional request is cheap, and many sitemaps are outdated.
 */
export function isUnchangedBySitemap(content: PageContent, modified: string | undefined, now: number): boolean {
  if (content.etag !== undefined || content.lastModified !== undefined) return false;
  if (modified === undefined || modified !== content.sitemapModified) return false;
  const confirmed = Date.parse(content.confirmedAt);
  // A page can change again on the day of its modification date.
  const changed = Date.parse(modified) + (modified.includes('T') ? 0 : DAY_MS);
  return changed <= confirmed && now - confirmed < MAX_TRUST_MS;
}
