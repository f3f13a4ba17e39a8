import type { ReasonCode } from '@quarry/contracts';
import { normalizeUrl } from '../urls/page-url.js';
import type { SiteScope } from '../urls/site-scope.js';
import { createPageProblem } from '../pages/page.js';
import type { PageContent, PageRecord, PageRecords } from './page-records.js';
import type { DuplicatePages, Frontier, FrontierEntry } from './frontier.js';
import type { LookUpResult } from './look-up-page.js';
import type { RepeatedBlocks } from './repeated-blocks.js';
import type { RetainedPages } from './retained-pages.js';
import { shouldRequestPage } from './should-request-page.js';

/** Holds the state of the crawl of one site. */
export interface SiteCrawl {
  readonly scope: SiteScope;
  readonly followsLinks: boolean;
  readonly frontier: Frontier;
  readonly duplicates: DuplicatePages;
  readonly records: PageRecords;
  readonly retained: RetainedPages;
  /**
   * True if this is not the first start of the run. An earlier start may have enqueued a page without writing the
   * record of the page.
   */
  readonly isRestart: boolean;
  readonly pages: SiteDocuments;
  readonly repeatedBlocks: RepeatedBlocks;
  /** Maps the document key of each redirect to the document key of its target. */
  readonly redirects: Map<string, string>;
  /** The document keys of pages whose links are unknown, because they could not be fetched. */
  readonly unknownLinks: Set<string>;
}

const MAX_REDIRECTS = 5;
/** The media type of the text of pages. */
const PAGE_TYPE = 'text/markdown';

/**
 * Settles a page: follows its links, stores its content, records its outcome, and writes its record last. A restarted
 * run repeats this for pages without a record. The repetition has no effect, because the document key identifies the
 * document.
 */
export async function settlePage(crawl: SiteCrawl, entry: FrontierEntry, lookUp: LookUpResult): Promise<void> {
  addLinksToFrontier(crawl, entry, lookUp.record);
  const result = await storePageContent(crawl, entry, lookUp);
  await recordPageOutcome(crawl, entry, result);
  const { record, alreadySettled } = result;
  if (!alreadySettled) await crawl.records.write(entry.documentKey, record);
  if (alreadySettled || !crawl.isRestart) crawl.retained.retainPage(entry.documentKey, record.content);
  else crawl.retained.retainAllContents(entry.documentKey);
}

async function storePageContent(
  { records, repeatedBlocks }: SiteCrawl,
  { documentKey }: FrontierEntry,
  result: LookUpResult,
): Promise<LookUpResult> {
  const { bytes, record } = result;
  const { content } = record;
  if (bytes === undefined || content === undefined) return result;
  // The record contains the hash of the whole page. A different selection of repeated blocks is therefore no change of
  // the page.
  const stored = content.mimeType === PAGE_TYPE ? removeRepeatedBlocks(repeatedBlocks, bytes) : bytes;
  return { ...result, record: { ...record, content: await records.writeContent(documentKey, content, stored) } };
}

function removeRepeatedBlocks(repeatedBlocks: RepeatedBlocks, bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(repeatedBlocks.removeRepetitions(new TextDecoder().decode(bytes)));
}

/** Adds the links or the redirect target of a page to the frontier. */
function addLinksToFrontier(crawl: SiteCrawl, entry: FrontierEntry, record: PageRecord): void {
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

/** Enqueues a page for ingestion, or records why the page is not indexed. */
async function recordPageOutcome(crawl: SiteCrawl, entry: FrontierEntry, result: LookUpResult): Promise<void> {
  const { record } = result;
  // The root page can be outside the include rules. Its links are then followed, but the page is no document.
  if (!crawl.scope.includes(entry.requestUrl)) return;
  if (record.found === 'redirect') return recordRedirectOutcome(crawl, entry, result);
  if (record.found === 'problem' && record.problem !== undefined)
    return recordUnindexedPage(crawl, entry.documentKey, result, record.problem);
  return recordContentOutcome(crawl, entry, result);
}

async function recordRedirectOutcome(crawl: SiteCrawl, entry: FrontierEntry, result: LookUpResult): Promise<void> {
  const to = result.record.redirectTo ?? '';
  if (!shouldRequestPage(crawl, to))
    return recordUnindexedPage(
      crawl,
      entry.documentKey,
      result,
      createPageProblem('redirected_out_of_scope', { found: to }),
    );
  if (entry.redirects >= MAX_REDIRECTS)
    return recordUnindexedPage(
      crawl,
      entry.documentKey,
      result,
      createPageProblem('too_many_redirects', { found: to }),
    );
  // The target is a page of its own, so a redirect is no document.
}

async function recordContentOutcome(crawl: SiteCrawl, entry: FrontierEntry, result: LookUpResult): Promise<void> {
  const { documentKey } = entry;
  const { content } = result.record;
  if (content === undefined) throw new Error(`expected content in the record of ${documentKey}, found none`);
  const { contentHash } = content;
  const canonical = content.canonical === undefined ? documentKey : normalizeUrl(content.canonical);
  if (canonical !== documentKey && addCanonicalPage(crawl, entry, content.canonical ?? documentKey)) {
    crawl.duplicates.deferPage({ documentKey, canonical, contentHash });
    return;
  }
  const duplicateOf = crawl.duplicates.addPage(documentKey, contentHash);
  if (duplicateOf === undefined) await enqueuePageForIndexing(crawl, documentKey, result);
  else await recordUnindexedPage(crawl, documentKey, result, createDuplicateProblem(duplicateOf));
}

/**
 * Adds the canonical URL to the frontier if the crawl follows links and the URL is in scope.
 *
 * @returns whether the crawl includes the URL
 */
function addCanonicalPage(
  { scope, followsLinks, frontier }: SiteCrawl,
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

/**
 * Settles the deferred pages, which are the pages whose canonical page was not settled before them. Call it after all
 * other pages are settled.
 */
export async function settleDeferredPages(crawl: SiteCrawl): Promise<void> {
  for (const deferred of crawl.duplicates.deferredPages) {
    const { documentKey } = deferred;
    const record = await crawl.records.read(documentKey);
    if (record === undefined)
      throw new Error(`expected the record of ${documentKey} that this run has written, found none`);
    const result: LookUpResult = { record, bytes: undefined, alreadySettled: false, transientProblem: undefined };
    const representative = crawl.duplicates.resolveOriginal(deferred);
    if (representative === undefined) await enqueuePageForIndexing(crawl, documentKey, result);
    else await recordUnindexedPage(crawl, documentKey, result, createDuplicateProblem(representative));
  }
}

/** Records a problem for each redirect that is part of a loop. */
export async function settleRedirectLoops(crawl: SiteCrawl): Promise<void> {
  for (const start of crawl.redirects.keys()) {
    const seen = new Set<string>();
    let current: string | undefined = start;
    while (current !== undefined && !seen.has(current)) {
      seen.add(current);
      current = crawl.redirects.get(current);
    }
    if (current === undefined) continue;
    await crawl.pages.recordUnindexed(start, createPageProblem('redirect_loop', { found: current }));
  }
}

/** Records why pages were not requested. Skips pages that earlier runs have recorded. */
export async function recordUnrequestedPages(
  { records, pages }: Pick<SiteCrawl, 'records' | 'pages'>,
  documentKeys: Iterable<string>,
  reason: 'out_of_scope' | 'limit_reached',
): Promise<void> {
  for (const documentKey of documentKeys) {
    if ((await records.read(documentKey)) === undefined)
      await pages.recordUnrequested(documentKey, createPageProblem(reason));
  }
}

function createDuplicateProblem(originalKey: string): ReturnType<typeof createPageProblem> {
  return createPageProblem('duplicate_of', { found: originalKey });
}

async function enqueuePageForIndexing(
  crawl: SiteCrawl,
  documentKey: string,
  { record, alreadySettled }: LookUpResult,
): Promise<void> {
  const { content } = record;
  if (content === undefined) throw new Error(`expected content in the record of ${documentKey}, found none`);
  if (!alreadySettled)
    await crawl.pages.enqueue(documentKey, content, crawl.records.getContentKey(documentKey, content));
}

async function recordUnindexedPage(
  crawl: SiteCrawl,
  documentKey: string,
  { record, alreadySettled }: LookUpResult,
  reason: Reason,
): Promise<void> {
  if (!alreadySettled) await crawl.pages.recordUnindexed(documentKey, reason, record.content?.name);
}

export interface Reason {
  readonly outcome: 'skipped' | 'failed';
  readonly code: ReasonCode;
  readonly message: string;
}

/** Records the pages of a site as documents of its run. */
export interface SiteDocuments {
  /** Enqueues a page for ingestion. */
  enqueue(documentKey: string, content: PageContent, blobKey: string): Promise<void>;
  /** Records why a page is not indexed. The gateway decides whether the stored fragments of the page are removed. */
  recordUnindexed(documentKey: string, reason: Reason, name?: string): Promise<void>;
  /** Records why a page was not requested. */
  recordUnrequested(documentKey: string, reason: Reason): Promise<void>;
  /** Number of documents that the run has recorded in all its starts. */
  readonly recordedCount: number;
  /** Number of recorded documents that were requested, or are unchanged since an earlier run. */
  readonly fetchedCount: number;
}
