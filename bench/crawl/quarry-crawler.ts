import { text } from 'node:stream/consumers';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { crawlQueue, type CrawlSite } from '@quarry/contracts';
import { readCrawlSettings, startCrawler, systemClock } from '@quarry/crawler';
import { createInMemoryQueues } from '@quarry/queue/testing';
import { createInMemoryRunGateway } from '@quarry/run-reporting/testing';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createLog } from '@quarry/service-kit';
import { countWords, createOutcome } from './outcome.js';

/**
 * Arguments of the program `node quarry-crawler.js <address> <folder> <pages> <concurrency>`, which crawls a site with
 * Quarry's crawler. The crawler fetches with its usual checks of addresses, and stores its blobs in the folder. Its
 * queues are in memory, and it has no delay per host.
 */

const [address = '', folder = '', pages = '', concurrency = ''] = process.argv.slice(2);
const settings = {
  ...readCrawlSettings({ QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true', QUARRY_CRAWLER_DELAY_MS: '0' }),
  requestsPerHost: Number(concurrency),
};
const queues = createInMemoryQueues();
const blobs = await openFileBlobStore(folder);
const safeFetch = createSafeFetch({ userAgent: settings.userAgent, allowLoopback: true });
const log = createLog('crawler', 'warn');
const gateway = createInMemoryRunGateway();
const context = { settings, log, queues, blobs, safeFetch, clock: systemClock, gateway: gateway.gateway };
const crawler = startCrawler(context);

const job: CrawlSite = {
  ...{ organizationId: 'bench', datastoreId: 'bench', datasourceId: 'bench', datasourceType: 'web_site' },
  ...{ runId: 'run', generation: 1, splitting: { maxTokens: 512, overlapTokens: 64 } },
  ...{ rootUrl: address, maxPages: Number(pages), maxDepth: 100 },
};
const begun = performance.now();
gateway.addRun(job);
await queues.createProducer(crawlQueue).add('crawl-site', job);
await queues.runAllJobs();
const seconds = (performance.now() - begun) / 1000;

let words = 0;
const { toIndex } = gateway.getRecordedDocuments(job);
for (const { blobKey } of toIndex) {
  const markdown = await text(await blobs.read(blobKey));
  words += countWords(markdown.replaceAll(/\]\([^)]*\)/g, ']'));
}
process.send?.(createOutcome(toIndex.length, seconds, words));
await crawler.close(0);
await safeFetch.close();
process.disconnect();
