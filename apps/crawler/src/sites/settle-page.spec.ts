import { describe, expect, it } from 'vitest';
import { DuplicatePages, Frontier } from './frontier.js';
import type { PageContent, PageRecord } from './page-records.js';
import { RepeatedBlocks } from './repeated-blocks.js';
import { RetainedPages } from './retained-pages.js';
import { recordUnrequestedPages, settleDeferredPages, type SiteCrawl, type SiteDocuments } from './settle-page.js';

const PAGES = 50;
const getUrl = (at: number): string => `https://site.test/${at}`;

function createRecord(at: number): PageRecord {
  const content: PageContent = {
    ...{ source: getUrl(at), name: 'Page', mimeType: 'text/markdown', metadata: {}, links: [], contentHash: 'equal' },
    ...{ confirmedAt: '2026-01-01T00:00:00.000Z', generation: 1 },
  };
  return { runId: 'run', found: 'content', content };
}

interface SlowCrawl {
  readonly crawl: SiteCrawl;
  /** The document keys of the enqueued pages, and of the pages that were recorded without being indexed. */
  readonly recorded: { readonly indexed: string[]; readonly unindexed: string[] };
  readonly getPeak: () => number;
}

/**
 * Creates a crawl with `PAGES` deferred pages of equal content. Its records and documents respond after a macrotask.
 */
function createSlowCrawl(onRecorded: () => void = () => undefined): SlowCrawl {
  const recorded = { indexed: [] as string[], unindexed: [] as string[] };
  let active = 0;
  let peak = 0;
  const record = async (list: string[], documentKey: string): Promise<void> => {
    active += 1;
    peak = Math.max(peak, active);
    await new Promise((resolve) => setTimeout(resolve, 1));
    active -= 1;
    list.push(documentKey);
    onRecorded();
  };
  const pages: SiteDocuments = {
    enqueue: (documentKey) => record(recorded.indexed, documentKey),
    recordUnindexed: (documentKey) => record(recorded.unindexed, documentKey),
    recordUnrequested: (documentKey) => record(recorded.unindexed, documentKey),
    recordedCount: 0,
    fetchedCount: 0,
  };
  const duplicates = new DuplicatePages();
  for (let at = 0; at < PAGES; at += 1)
    duplicates.deferPage({ documentKey: getUrl(at), canonical: getUrl(-1), contentHash: 'equal' });
  const records: SiteCrawl['records'] = {
    read: async (documentKey) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return documentKey.endsWith('/new') ? undefined : createRecord(Number(documentKey.split('/').at(-1)));
    },
    write: () => Promise.resolve(),
    writeContent: (_documentKey, content) => Promise.resolve(content),
    getContentKey: (documentKey) => documentKey,
  };
  const crawl = {
    ...{ scope: { includes: () => true }, followsLinks: true, frontier: new Frontier({ maxPages: 100, maxDepth: 5 }) },
    ...{ duplicates, redirects: new Map(), unknownLinks: new Set<string>(), records, pages, isRestart: false },
    ...{ retained: new RetainedPages(), repeatedBlocks: new RepeatedBlocks() },
  };
  return { crawl, recorded, getPeak: () => peak };
}

const never = new AbortController().signal;

describe('settleDeferredPages', () => {
  it('settleDeferredPages indexes the first of several pages with equal content, and records eight pages at a time', async () => {
    const { crawl, recorded, getPeak } = createSlowCrawl();
    await settleDeferredPages(crawl, never);
    expect(recorded.indexed).toEqual([getUrl(0)]);
    expect(recorded.unindexed).toHaveLength(PAGES - 1);
    expect(getPeak()).toBe(8);
  });

  it('settleDeferredPages stops when its signal aborts, and finishes recording the pages in progress', async () => {
    const stop = new AbortController();
    const { crawl, recorded } = createSlowCrawl(() => {
      stop.abort(new Error('the run was cancelled'));
    });
    await expect(settleDeferredPages(crawl, stop.signal)).rejects.toThrow('the run was cancelled');
    const count = recorded.indexed.length + recorded.unindexed.length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(PAGES);
  });
});

it('recordUnrequestedPages skips pages that have a page record, and records all others, eight pages at a time', async () => {
  const { crawl, recorded, getPeak } = createSlowCrawl();
  const keys = Array.from({ length: 30 }, (_, at) => (at === 0 ? getUrl(at) : `https://site.test/${at}/new`));
  await recordUnrequestedPages(crawl, keys, 'out_of_scope', never);
  expect(recorded.unindexed.toSorted()).toEqual(keys.filter((key) => key.endsWith('/new')).toSorted());
  expect(getPeak()).toBe(8);
});
