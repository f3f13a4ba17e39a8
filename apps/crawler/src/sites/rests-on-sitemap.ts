import type { PageContent } from './page-record.js';

const DAY_MS = 24 * 60 * 60_000;
/** A sitemap that forgets to tell of a change is found out within a week. */
const TRUSTED_MS = 7 * DAY_MS;

/**
 * Whether the sitemap's word is enough that a page has not changed. It is asked for only where the server gave nothing to
 * recognise the page by: a conditional request costs little, and many a sitemap is not kept up.
 */
export function restsOnSitemap(content: PageContent, modified: string | undefined, now: number): boolean {
  if (content.etag !== undefined || content.lastModified !== undefined) return false;
  if (modified === undefined || modified !== content.sitemapModified) return false;
  const confirmed = Date.parse(content.confirmedAt);
  // A page that is changed twice on a day has the same date twice.
  const changed = Date.parse(modified) + (modified.includes('T') ? 0 : DAY_MS);
  return changed <= confirmed && now - confirmed < TRUSTED_MS;
}
