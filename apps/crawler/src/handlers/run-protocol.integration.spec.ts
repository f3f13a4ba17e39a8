import { text } from 'node:stream/consumers';
import { getDatasourceFolder } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { datasourceStatusQueue, type CrawlPage, type CrawlSite } from '@quarry/contracts';
import { createInMemoryQueues } from '@quarry/queue/testing';
import { createStatusEmitter } from '@quarry/run-reporting';
import { describeRunWorker, createInMemoryRunGateway, type RunWorkerUnderTest } from '@quarry/run-reporting/testing';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createLog } from '@quarry/service-kit';
import { afterAll, beforeAll } from 'vitest';
import { readCrawlSettings } from '../config.js';
import { createCrawlHandlers } from '../consumers.js';
import { createPageTools } from '../pages/page-tools.js';
import { createCrashableQueues } from '../testing/crashable-queues.js';
import { buildHtmlPage, startLocalSite, type LocalSite } from '../testing/local-site.js';
import { createManualClock } from '../testing/manual-clock.js';
import { createMemoizedHtmlReader } from '../testing/memoized-html-reader.js';
import { buildPageJob, buildSiteJob } from '../testing/test-crawler.js';

const settings = { ...readCrawlSettings({}), delayMs: 0, retryDelayMs: 1, requestsPerHost: 8, allowLoopback: true };
const log = createLog('crawler', 'silent');
const html = createMemoizedHtmlReader();
const safeFetch = createSafeFetch({ userAgent: settings.userAgent, allowLoopback: true });
let site: LocalSite;

beforeAll(async () => {
  site = await startLocalSite();
  const links = '<a href="/one">One</a> <a href="/missing">Missing</a>';
  site.app.get(
    '/',
    (_request, response) => void response.type('html').send(buildHtmlPage('Home', `<p>Home.</p>${links}`)),
  );
  site.app.get(
    '/one',
    (_request, response) => void response.type('html').send(buildHtmlPage('One', '<p>One page.</p>')),
  );
});
afterAll(async () => {
  await html.close();
  await safeFetch.close();
  await site.close();
});

async function openRun(
  ...[name, job]: readonly ['crawl-site', CrawlSite] | readonly ['crawl-page', CrawlPage]
): Promise<RunWorkerUnderTest> {
  const clock = createManualClock();
  const [blobs, queues, gateway] = [
    createInMemoryBlobStore(),
    createInMemoryQueues(clock.now),
    createInMemoryRunGateway(),
  ];
  gateway.addRun(job);
  const listBlobs = async (): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const key of blobs.list(getDatasourceFolder(job))) keys.push(key);
    return keys;
  };
  const readContents = async (documents: readonly { readonly documentKey: string; readonly blobKey: string }[]) =>
    Object.fromEntries(
      await Promise.all(
        documents.map(
          async ({ documentKey, blobKey }) => [documentKey, await text(await blobs.read(blobKey))] as const,
        ),
      ),
    );
  return {
    gateway,
    run: job,
    startJob: async (process, starts) => {
      const context = {
        ...{
          settings,
          clock,
          log,
          blobs: process.wrapBlobStore(blobs),
          queues: createCrashableQueues(process, queues),
        },
        gateway: process.wrapGateway(gateway.gateway),
      };
      const handlers = createCrawlHandlers({
        ...context,
        tools: createPageTools({ ...context, safeFetch }, html),
        reporting: {
          statuses: createStatusEmitter(context.queues.createProducer(datasourceStatusQueue)),
          now: () => new Date(clock.now()),
        },
        closing: new AbortController().signal,
      });
      const run = {
        ...{ id: 'job', attempt: 1, lastAttempt: false, starts, log },
        signal: new AbortController().signal,
      };
      await (name === 'crawl-site' ? handlers[name](job, run) : handlers[name](job, run));
    },
    deleteDatasource: async () => {
      await gateway.removeDatasource(job);
      await blobs.removeAll(getDatasourceFolder(job));
    },
    readOutcome: async () => {
      const { toIndex, settled, enqueued } = gateway.getRecordedDocuments(job);
      const ends = queues
        .listAddedJobs(datasourceStatusQueue)
        .flatMap((added) => (added.name === 'run-enumerated' ? [added.payload] : []));
      return {
        contents: await readContents([...toIndex, ...enqueued]),
        settled: settled.map(({ documentKey, outcome, code }) => `${documentKey} ${outcome} ${code ?? ''}`).toSorted(),
        ends: [
          ...new Set(
            ends.map(({ complete, discovered, fetched, note }) =>
              JSON.stringify({ complete, discovered, fetched, note }),
            ),
          ),
        ],
      };
    },
    listStoredContent: listBlobs,
  };
}

describeRunWorker('a web site', () => openRun('crawl-site', buildSiteJob({ rootUrl: `${site.origin}/` })));
describeRunWorker('a web page', () => openRun('crawl-page', buildPageJob(`${site.origin}/one`)));
