import { isAssetUrl } from '../urls/page-url.js';
import { isCrawlerTrap, type SiteScope } from '../urls/site-scope.js';

/**
 * Decides whether a crawl requests the target of a link, of a redirect or of a sitemap entry. The URL must be in scope,
 * and must be no asset and no crawler trap.
 */
export function shouldRequestPage({ scope }: { readonly scope: SiteScope }, url: string): boolean {
  return scope.includes(url) && !isAssetUrl(url) && !isCrawlerTrap(url);
}
