import { text } from 'node:stream/consumers';
import type { BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import {
  crawlQueue,
  datasourceStatusQueue,
  type CrawlJobs,
  type CrawlPage,
  type CrawlSite,
  type DatasourceStatusJobs,
  type DocumentToIndex,
  type IndexDocument,
  type RunGateway,
  type RunRef,
} from '@quarry/contracts';
import { createInMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import {
  createInMemoryRunGateway,
  type InMemoryRunGateway,
  type RecordedDocuments,
} from '@quarry/run-reporting/testing';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { createLog } from '@quarry/service-kit';
import { readCrawlSettings, type CrawlSettings } from '../config.js';
import { systemClock, type Clock } from '../politeness/clock.js';
import { startConsumers } from '../consumers.js';
import { createHtmlReader, type HtmlReader } from '../pages/html/html-reader.js';
import { createPageTools } from '../pages/page-tools.js';

/** Holds the events and documents of a run, each list in the order of emission. */
export interface RunOutput {
  readonly statuses: readonly DatasourceStatusJobs['status-changed'][];
  readonly progress: readonly DatasourceStatusJobs['run-progressed'][];
  readonly retries: readonly DatasourceStatusJobs['run-retrying'][];
  readonly settled: RecordedDocuments['settled'];
  readonly enumerated: readonly DatasourceStatusJobs['run-enumerated'][];
  readonly indexed: readonly (DocumentToIndex | IndexDocument)[];
}

/** Describes a crawler with queues and blobs in memory, which fetches from loopback. */
export interface TestCrawler {
  readonly blobs: BlobStore;
  readonly gateway: InMemoryRunGateway;
  /** Runs a job until it ends, including all retries. */
  run<Name extends keyof CrawlJobs>(name: Name, job: CrawlJobs[Name]): Promise<RunOutput>;
  /** Returns the events and documents of a run so far. */
  getOutput(run: RunRef): RunOutput;
  readBlob(key: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestCrawlerOptions {
  readonly settings?: Partial<CrawlSettings>;
  /**
   * The crawler's clock. If the clock has a function `advance`, each postponed job advances the clock by the delay of
   * the job.
   */
  readonly clock?: Clock & { readonly advance?: (ms: number) => void };
  /** The blob store. Pass the store of another crawler to continue its runs. Default: an empty store. */
  readonly blobs?: BlobStore;
  readonly queues?: InMemoryQueues;
  /** The simulated gateway to which the crawler reports. Default: a new one. */
  readonly gateway?: InMemoryRunGateway;
  /** The interface through which the crawler calls the gateway, for simulated failures. Default: that of `gateway`. */
  readonly runs?: RunGateway;
  readonly safeFetch?: SafeFetch;
  /**
   * An HTML reader that several crawlers share, because its threads start slowly. The caller closes it. Default: a
   * reader of its own.
   */
  readonly html?: HtmlReader;
}

/** Crawler settings without delays, for tests. */
const FAST_SETTINGS = { delayMs: 0, retryDelayMs: 1, requestsPerHost: 8, allowLoopback: true };

export function startTestCrawler(options: TestCrawlerOptions = {}): TestCrawler {
  const { settings, clock = systemClock, blobs = createInMemoryBlobStore() } = options;
  const { queues = createInMemoryQueues(clock.now, options.clock?.advance) } = options;
  const { gateway = createInMemoryRunGateway() } = options;
  const crawl = { ...readCrawlSettings({}), ...FAST_SETTINGS, ...settings };
  const { userAgent, allowLoopback } = crawl;
  const safeFetch = options.safeFetch ?? createSafeFetch({ userAgent, allowLoopback });
  const log = createLog('crawler', 'silent');
  const html = options.html ?? createHtmlReader(crawl.reading);
  const closing = new AbortController();
  const runs = options.runs ?? gateway.gateway;
  const context = { settings: crawl, log, queues, blobs, safeFetch, clock, gateway: runs };
  const tools = createPageTools(context, html);
  const consumer = startConsumers(context, tools, closing.signal);
  return {
    blobs,
    gateway,
    readBlob: async (key) => text(await blobs.read(key)),
    run: async (name, job) => {
      gateway.addRun(job);
      await queues.createProducer(crawlQueue).add(name, job);
      await queues.runAllJobs();
      return collectRunOutput(queues, gateway, job);
    },
    getOutput: (run) => collectRunOutput(queues, gateway, run),
    close: async () => {
      closing.abort();
      await consumer.close(0);
      await tools.renderer?.close();
      if (options.html === undefined) await html.close();
      await safeFetch.close();
    },
  };
}

function collectRunOutput(queues: InMemoryQueues, gateway: InMemoryRunGateway, run: RunRef): RunOutput {
  const { runId } = run;
  const { toIndex, settled, enqueued } = gateway.getRecordedDocuments(run);
  const events = queues
    .listAddedJobs(datasourceStatusQueue)
    .filter(({ payload }) => 'runId' in payload && payload.runId === runId);
  return {
    statuses: events.flatMap((job) => (job.name === 'status-changed' ? [job.payload] : [])),
    progress: events.flatMap((job) => (job.name === 'run-progressed' ? [job.payload] : [])),
    retries: events.flatMap((job) => (job.name === 'run-retrying' ? [job.payload] : [])),
    settled: [...settled],
    enumerated: events.flatMap((job) => (job.name === 'run-enumerated' ? [job.payload] : [])),
    indexed: [...enqueued, ...toIndex],
  };
}

const SYNC = {
  organizationId: 'org',
  datastoreId: 'store',
  datasourceId: 'source',
  generation: 1,
  splitting: { maxTokens: 512, overlapTokens: 64 },
};

export function buildPageJob(url: string, runId = 'run-1'): CrawlPage {
  return { ...SYNC, datasourceType: 'web_page', runId, url };
}

export function buildSiteJob(
  site: Pick<CrawlSite, 'rootUrl' | 'sitemap'> & Partial<CrawlSite>,
  runId = 'run-1',
): CrawlSite {
  return { ...SYNC, datasourceType: 'web_site', runId, ...site };
}
