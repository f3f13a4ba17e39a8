import { createPageProblem } from '../pages/page.js';
import type { DeferredPage, FrontierEntry } from './frontier.js';
import type { LookUpResult } from './look-up-page.js';
import {
  addLinksToFrontier,
  createDuplicateOutcome,
  decidePageOutcome,
  INDEXED,
  type CrawlFindings,
  type PageOutcome,
  type Reason,
} from './page-outcome.js';
import type { PageContent, PageRecord, PageRecords } from './page-records.js';
import { processInOrder } from './process-in-order.js';
import type { RepeatedBlocks } from './repeated-blocks.js';
import type { RetainedPages } from './retained-pages.js';

/** Holds the state of the crawl of one site, which an interrupted crawl continues. */
export interface SiteCrawl extends CrawlFindings {
  readonly records: PageRecords;
  readonly retained: RetainedPages;
  /**
   * True if this is not the first start of the run. A previous start may have enqueued a page without writing the
   * record of the page.
   */
  readonly isRestart: boolean;
  readonly pages: SiteDocuments;
  readonly repeatedBlocks: RepeatedBlocks;
}

/**
 * Maximum number of pages of a crawl that are looked up concurrently, and of pages that are stored concurrently.
 * Requests also obey the rate limit.
 */
export const CONCURRENT_PAGES = 8;
/** The media type of pages after their main content was converted to Markdown. */
const PAGE_TYPE = 'text/markdown';

/** Describes a page that the crawl has accepted: its links are in the frontier, and its outcome is decided. */
export interface AcceptedPage {
  readonly entry: FrontierEntry;
  readonly result: LookUpResult;
  readonly outcome: PageOutcome;
  /** The content to store, without repeated blocks; undefined if the stored content is unchanged or there is none. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Accepts a page: adds its links to the frontier, removes repeated blocks from its content, and decides its outcome.
 * Pages must be accepted in the order of the frontier, so that every start of a run decides the same.
 */
export function acceptPage(crawl: SiteCrawl, entry: FrontierEntry, result: LookUpResult): AcceptedPage {
  addLinksToFrontier(crawl, entry, result.record);
  const { content } = result.record;
  // The record contains the hash of the whole page. A different selection of repeated blocks is therefore no change of
  // the page.
  const bytes =
    result.bytes !== undefined && content?.mimeType === PAGE_TYPE
      ? removeRepeatedBlocks(crawl.repeatedBlocks, result.bytes)
      : result.bytes;
  return { entry, result, outcome: decidePageOutcome(crawl, entry, result.record), bytes };
}

function removeRepeatedBlocks(repeatedBlocks: RepeatedBlocks, bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(repeatedBlocks.removeRepetitions(new TextDecoder().decode(bytes)));
}

/**
 * Stores the content of an accepted page, records its outcome, and writes its record last. A restarted run stores a
 * page without a record again. This has no effect on the result, because both times the document key is the same.
 */
export async function storePage(
  crawl: SiteCrawl,
  { entry: { documentKey }, result, outcome, bytes }: AcceptedPage,
): Promise<void> {
  const { alreadySettled } = result;
  const record = await storePageContent(crawl, documentKey, result.record, bytes);
  if (!alreadySettled) {
    await recordPageOutcome(crawl, documentKey, record, outcome);
    await crawl.records.write(documentKey, record);
  }
  if (alreadySettled || !crawl.isRestart) crawl.retained.retainPage(documentKey, record.content);
  else crawl.retained.retainAllContents(documentKey);
}

async function storePageContent(
  { records }: SiteCrawl,
  documentKey: string,
  record: PageRecord,
  bytes: Uint8Array | undefined,
): Promise<PageRecord> {
  const { content } = record;
  if (bytes === undefined || content === undefined) return record;
  return { ...record, content: await records.writeContent(documentKey, content, bytes) };
}

/** Enqueues a page for ingestion, or records why it is not indexed. */
async function recordPageOutcome(
  { pages, records }: SiteCrawl,
  documentKey: string,
  { content }: PageRecord,
  outcome: PageOutcome,
): Promise<void> {
  if (outcome.kind === 'unindexed') await pages.recordUnindexed(documentKey, outcome.reason, content?.name);
  if (outcome.kind !== 'indexed') return;
  if (content === undefined) throw new Error(`expected content in the record of ${documentKey}, found none`);
  await pages.enqueue(documentKey, content, records.getContentKey(documentKey, content));
}

/**
 * Settles the deferred pages, which declare another page of the crawl as canonical. Call it after all other pages are
 * stored.
 *
 * @throws the reason of the signal if it aborts
 */
export async function settleDeferredPages(crawl: SiteCrawl, signal: AbortSignal): Promise<void> {
  const deferredPages = crawl.duplicates.deferredPages[Symbol.iterator]();
  await processInOrder(
    {
      next: () => deferredPages.next().value as DeferredPage | undefined, // undefined after the last page
      concurrency: CONCURRENT_PAGES,
      process: ({ documentKey }) => crawl.records.read(documentKey),
      accept: (record, deferred) => {
        const { documentKey } = deferred;
        if (record === undefined)
          throw new Error(`expected the record of ${documentKey} that this run has written, found none`);
        const original = crawl.duplicates.resolveOriginal(deferred);
        const outcome = original === undefined ? INDEXED : createDuplicateOutcome(original);
        return Promise.resolve(() => recordPageOutcome(crawl, documentKey, record, outcome));
      },
    },
    signal,
  );
}

/** Records a problem for each redirect that is part of a loop or leads to a loop. */
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

/**
 * Records why pages were not requested. Skips pages that have a record, because a run has requested them.
 *
 * @throws the reason of the signal if it aborts
 */
export async function recordUnrequestedPages(
  { records, pages }: Pick<SiteCrawl, 'records' | 'pages'>,
  documentKeys: Iterable<string>,
  reason: 'out_of_scope' | 'limit_reached',
  signal: AbortSignal,
): Promise<void> {
  const keys = documentKeys[Symbol.iterator]();
  await processInOrder(
    {
      next: () => keys.next().value as string | undefined, // undefined after the last key
      concurrency: CONCURRENT_PAGES,
      process: (documentKey) => records.read(documentKey),
      accept: (record, documentKey) =>
        Promise.resolve(
          record === undefined ? () => pages.recordUnrequested(documentKey, createPageProblem(reason)) : undefined,
        ),
    },
    signal,
  );
}

/** Records the pages of a site as documents of the crawl's run. */
export interface SiteDocuments {
  /** Enqueues a page for ingestion. */
  enqueue(documentKey: string, content: PageContent, blobKey: string): Promise<void>;
  /**
   * Records why a page is not indexed. The gateway decides whether to remove the fragments that earlier runs indexed.
   */
  recordUnindexed(documentKey: string, reason: Reason, name?: string): Promise<void>;
  /** Records why a page was not requested. */
  recordUnrequested(documentKey: string, reason: Reason): Promise<void>;
  /** Number of documents that all starts of the run have recorded together. */
  readonly recordedCount: number;
  /** Number of recorded documents that were requested, or are unchanged since an earlier run. */
  readonly fetchedCount: number;
}
