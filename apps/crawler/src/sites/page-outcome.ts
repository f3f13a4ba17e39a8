import { type ReasonCode, normalizeUrl } from '@quarry/contracts';
import { createPageProblem } from '../pages/page.js';
import type { SiteScope } from '../urls/site-scope.js';
import type { DuplicatePages, Frontier, FrontierEntry } from './frontier.js';
import type { PageContent, PageRecord } from './page-records.js';
import { shouldRequestPage } from './should-request-page.js';

/** Holds what a crawl has found, from which the outcomes of its pages are decided. */
export interface CrawlFindings {
  readonly scope: SiteScope;
  readonly followsLinks: boolean;
  readonly frontier: Frontier;
  readonly duplicates: DuplicatePages;
  /** Maps the document key of each redirect to the document key of its target. */
  readonly redirects: Map<string, string>;
  /** The document keys of pages whose links are unknown, because they could not be fetched. */
  readonly unknownLinks: Set<string>;
}

/** Explains why a page is not indexed. */
export interface Reason {
  readonly outcome: 'skipped' | 'failed';
  readonly code: ReasonCode;
  readonly message: string;
}

/**
 * Describes what happens to a page. `indexed`: it is enqueued for ingestion. `unindexed`: the reason is recorded
 * instead. `not_recorded`: nothing is recorded, because the page is no document, or because `settleDeferredPages`
 * decides later.
 */
export type PageOutcome =
  | { readonly kind: 'indexed' }
  | { readonly kind: 'unindexed'; readonly reason: Reason }
  | { readonly kind: 'not_recorded' };

export const INDEXED: PageOutcome = { kind: 'indexed' };
const NOT_RECORDED: PageOutcome = { kind: 'not_recorded' };
const MAX_REDIRECTS = 5;

/** Adds the links or the redirect target of a page to the frontier. */
export function addLinksToFrontier(crawl: CrawlFindings, entry: FrontierEntry, record: PageRecord): void {
  const { problem: found, content, redirectTo } = record;
  if (record.found === 'redirect' && redirectTo !== undefined && shouldRequestPage(crawl, redirectTo)) {
    crawl.redirects.set(entry.documentKey, normalizeUrl(redirectTo));
    if (entry.redirects < MAX_REDIRECTS)
      crawl.frontier.addPage({ ...entry, requestUrl: redirectTo, redirects: entry.redirects + 1 });
  }
  if (!crawl.followsLinks) return;
  const links = record.found === 'content' ? content?.links : found?.links;
  const isUnknown = record.found !== 'redirect' && links === undefined;
  if (isUnknown) crawl.unknownLinks.add(entry.documentKey);
  else crawl.unknownLinks.delete(entry.documentKey);
  if (record.found === 'redirect') return;
  for (const requestUrl of links ?? []) {
    if (shouldRequestPage(crawl, requestUrl))
      crawl.frontier.addPage({ requestUrl, depth: entry.depth + 1, redirects: 0 });
  }
}

/**
 * Decides the outcome of a page. Registers the page for the detection of duplicates, or defers it and adds its
 * canonical URL to the frontier.
 */
export function decidePageOutcome(crawl: CrawlFindings, entry: FrontierEntry, record: PageRecord): PageOutcome {
  // The root page can be outside the include rules. Its links are then followed, but the page is no document.
  if (!crawl.scope.includes(entry.requestUrl)) return NOT_RECORDED;
  if (record.found === 'redirect') return decideRedirectOutcome(crawl, entry, record.redirectTo ?? '');
  if (record.found === 'problem' && record.problem !== undefined) return { kind: 'unindexed', reason: record.problem };
  if (record.content === undefined)
    throw new Error(`expected content in the record of ${entry.documentKey}, found none`);
  return decideContentOutcome(crawl, entry, record.content);
}

function decideRedirectOutcome(crawl: CrawlFindings, { redirects }: FrontierEntry, to: string): PageOutcome {
  if (!shouldRequestPage(crawl, to)) {
    return { kind: 'unindexed', reason: createPageProblem('redirected_out_of_scope', { found: to }) };
  }
  if (redirects >= MAX_REDIRECTS) {
    return { kind: 'unindexed', reason: createPageProblem('too_many_redirects', { found: to }) };
  }
  // The target is a page of its own, so a redirect is no document.
  return NOT_RECORDED;
}

function decideContentOutcome(
  crawl: CrawlFindings,
  entry: FrontierEntry,
  { canonical: declared, contentHash }: PageContent,
): PageOutcome {
  const { documentKey } = entry;
  const canonical = declared === undefined ? documentKey : normalizeUrl(declared);
  if (canonical !== documentKey && addCanonicalPage(crawl, entry, declared ?? documentKey)) {
    crawl.duplicates.deferPage({ documentKey, canonical, contentHash });
    return NOT_RECORDED;
  }
  const duplicateOf = crawl.duplicates.addPage(documentKey, contentHash);
  return duplicateOf === undefined ? INDEXED : createDuplicateOutcome(duplicateOf);
}

/**
 * Adds the canonical URL of a page to the frontier if the crawl follows links and the URL is in scope.
 *
 * @returns whether the crawl includes the canonical URL
 */
function addCanonicalPage(
  { scope, followsLinks, frontier }: CrawlFindings,
  entry: FrontierEntry,
  canonical: string,
): boolean {
  if (frontier.hasPage(canonical)) return true;
  return (
    followsLinks &&
    shouldRequestPage({ scope }, canonical) &&
    frontier.addPage({ ...entry, requestUrl: canonical, redirects: 0 })
  );
}

/** Creates the outcome of a page that is not indexed because another page has the same content. */
export function createDuplicateOutcome(originalKey: string): PageOutcome {
  return { kind: 'unindexed', reason: createPageProblem('duplicate_of', { found: originalKey }) };
}
