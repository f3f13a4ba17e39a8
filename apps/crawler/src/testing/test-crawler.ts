import { text } from 'node:stream/consumers';
import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import {
  crawlQueue,
  datasourceStatusQueue,
  ingestionQueue,
  type CrawlJobs,
  type CrawlPage,
  type CrawlSite,
  type DatasourceStatusJobs,
  type DocumentToIndex,
  type IndexDocument,
  type RunGateway,
  type RunRef,
} from '@quarry/contracts';
import { inMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { inMemoryRunGateway, type InMemoryRunGateway, type RecordedDocuments } from '@quarry/run-reporting/testing';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createLog } from '@quarry/service-kit';
import { readCrawlSettings, type CrawlSettings } from '../config.js';
import { systemClock, type Clock } from '../politeness/clock.js';
import { startConsumers } from '../consumers.js';
import { htmlReader, type HtmlReader } from '../pages/html-reader.js';
import { pageTools } from '../pages/page-tools.js';

/** What one run reported to the gateway and handed to ingestion, in order. */
export interface Told {
  readonly statuses: readonly DatasourceStatusJobs['status-changed'][];
  readonly progress: readonly DatasourceStatusJobs['run-progressed'][];
  readonly retries: readonly DatasourceStatusJobs['run-retrying'][];
  readonly settled: RecordedDocuments['settled'];
  readonly enumerated: readonly DatasourceStatusJobs['run-enumerated'][];
  readonly indexed: readonly (DocumentToIndex | IndexDocument)[];
}

/** The whole crawler on queues and blobs in memory, fetching from loopback for real. */
export interface TestCrawler {
  readonly blobs: BlobStore;
  readonly gateway: InMemoryRunGateway;
  /** Runs a job until it has ended, however often it comes back. */
  run<Name extends keyof CrawlJobs>(name: Name, job: CrawlJobs[Name]): Promise<Told>;
  /** What a run has reported so far. */
  told(run: RunRef): Told;
  blob(key: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestCrawlerOptions {
  readonly settings?: Partial<CrawlSettings>;
  readonly clock?: Clock;
  /** That of another crawler, to be its successor. */
  readonly blobs?: BlobStore;
  readonly queues?: InMemoryQueues;
  /** What stands for the gateway. */
  readonly gateway?: InMemoryRunGateway;
  /** What the crawler calls. Absent: that of `gateway`. */
  readonly runs?: RunGateway;
  readonly safeFetch?: SafeFetch;
  /** Shared by several crawlers, since its threads take a while to start. It stays the caller's to close. */
  readonly html?: HtmlReader;
}

/** Impatient, so that tests do not wait. */
const IMPATIENT = { delayMs: 0, retryDelayMs: 1, requestsPerHost: 8, allowLoopback: true };

export function testCrawler(options: TestCrawlerOptions = {}): TestCrawler {
  const { settings, clock = systemClock, blobs = inMemoryBlobStore(), queues = inMemoryQueues(clock.now) } = options;
  const { gateway = inMemoryRunGateway() } = options;
  const crawl = { ...readCrawlSettings({}), ...IMPATIENT, ...settings };
  const { userAgent, allowLoopback } = crawl;
  const safeFetch = options.safeFetch ?? createSafeFetch({ userAgent, allowLoopback });
  const log = createLog('crawler', 'silent');
  const html = options.html ?? htmlReader(crawl.reading);
  const closing = new AbortController();
  const runs = options.runs ?? gateway.gateway;
  const context = { settings: crawl, log, queues, blobs, safeFetch, clock, gateway: runs };
  const tools = pageTools(context, html);
  const consumer = startConsumers(context, tools, closing.signal);
  return {
    blobs,
    gateway,
    blob: async (key) => text(await blobs.read(key)),
    run: async (name, job) => {
      gateway.addRun(job);
      await queues.producer(crawlQueue).add(name, job);
      await queues.drain();
      return toldOf(queues, gateway, job);
    },
    told: (run) => toldOf(queues, gateway, run),
    close: async () => {
      closing.abort();
      await consumer.close(0);
      await tools.renderer?.close();
      if (options.html === undefined) await html.close();
      await safeFetch.close();
    },
  };
}

function toldOf(queues: InMemoryQueues, gateway: InMemoryRunGateway, run: RunRef): Told {
  const { runId } = run;
  const { toIndex, settled } = gateway.recorded(run);
  const told = queues
    .added(datasourceStatusQueue)
    .filter(({ payload }) => 'runId' in payload && payload.runId === runId);
  const handed = queues.added(ingestionQueue);
  return {
    statuses: told.flatMap((job) => (job.name === 'status-changed' ? [job.payload] : [])),
    progress: told.flatMap((job) => (job.name === 'run-progressed' ? [job.payload] : [])),
    retries: told.flatMap((job) => (job.name === 'run-retrying' ? [job.payload] : [])),
    settled: [...settled],
    enumerated: told.flatMap((job) => (job.name === 'run-enumerated' ? [job.payload] : [])),
    indexed: [
      ...handed.flatMap((job) => (job.name === 'index-document' && job.payload.runId === runId ? [job.payload] : [])),
      ...toIndex,
    ],
  };
}

const SYNC = {
  organizationId: 'org',
  datastoreId: 'store',
  datasourceId: 'source',
  generation: 1,
  splitting: { maxTokens: 512, overlapTokens: 64 },
};

export function pageJob(url: string, runId = 'run-1'): CrawlPage {
  return { ...SYNC, datasourceType: 'web_page', runId, url };
}

export function siteJob(site: Pick<CrawlSite, 'rootUrl' | 'sitemap'> & Partial<CrawlSite>, runId = 'run-1'): CrawlSite {
  return { ...SYNC, datasourceType: 'web_site', runId, ...site };
}
