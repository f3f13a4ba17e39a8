import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { crawlQueue, type CrawlJobs } from '@quarry/contracts';
import { createInMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { CrashableProcess, createInMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildHtmlPage, startLocalSite, type LocalSite } from '../testing/local-site.js';
import { createMemoizedHtmlReader } from '../testing/memoized-html-reader.js';
import { createManualClock } from '../testing/manual-clock.js';
import { createCrashableQueues } from '../testing/crashable-queues.js';
import { buildPageJob, buildSiteJob, startTestCrawler } from '../testing/test-crawler.js';

const reader = createMemoizedHtmlReader();
afterAll(() => reader.close());

/** Holds the in-memory services that keep their state when a crawler is killed. */
interface Services {
  readonly blobs: BlobStore;
  readonly queues: InMemoryQueues;
  readonly gateway: InMemoryRunGateway;
}

let site: LocalSite;
/** The version of the pages that the test site serves: 1 or 2. */
let state: number;

beforeEach(async () => {
  site = await startLocalSite();
  state = 1;
  const servePage = (path: string, body: () => string | undefined, head = ''): void => {
    site.app.get(path, (_request, response) => {
      const found = body();
      if (found === undefined) response.status(404).end();
      else response.type('html').send(buildHtmlPage(path, found, head));
    });
  };
  const buildLinks = (): string =>
    ['/same', '/changes', '/removed', '/canonical-same', '/copy', '/hidden', '/moved', '/missing']
      .map((path) => `<a href="${path}">${path}</a>`)
      .join(' ');
  servePage('/', () => `<p>Home.</p>${buildLinks()}${state === 2 ? '<a href="/added">New</a>' : ''}`);
  servePage('/same', () => '<p>Never changes.</p>');
  servePage('/changes', () => `<p>In the state ${state}.</p>`);
  servePage('/removed', () => (state === 2 ? undefined : '<p>Not always there.</p>'));
  servePage('/added', () => '<p>Was not there before.</p>');
  servePage('/canonical-same', () => `<p>Other text in the state ${state}.</p>`, '<link rel="canonical" href="/same">');
  servePage('/copy', () => '<h1>/same</h1><p>Never changes.</p>');
  servePage('/hidden', () => '<p>Not to be indexed.</p>', '<meta name="robots" content="noindex">');
  site.app.get('/moved', (_request, response) => {
    response.redirect('/same');
  });
});
afterEach(() => site.close());

const addJob = async ({ queues, gateway }: Services, name: keyof CrawlJobs, generation: number): Promise<void> => {
  const runId = `run-${generation}`;
  const crawl = queues.createProducer(crawlQueue);
  gateway.addRun({ datasourceId: 'source', runId });
  if (name === 'crawl-site')
    await crawl.add(name, Object.assign(buildSiteJob({ rootUrl: `${site.origin}/` }, runId), { generation }));
  else await crawl.add(name, Object.assign(buildPageJob(`${site.origin}/changes`, runId), { generation }));
};

interface Kill {
  /** Number of writes after which the first crawler is killed. */
  readonly afterWrites: number;
  readonly onKilled?: () => void;
}

/**
 * Adds a job and runs it to its end. If the first crawler is killed, a second crawler continues.
 *
 * @returns whether the first crawler was killed
 */
async function runToEnd(
  services: Services,
  name: keyof CrawlJobs,
  generation: number,
  kill: Kill = { afterWrites: Infinity },
): Promise<boolean> {
  const process = new CrashableProcess({ killedAfter: kill.afterWrites });
  const shared = { html: reader, clock: createManualClock() };
  const first = startTestCrawler({ ...shared, ...createCrashableParts(process, services) });
  await addJob(services, name, generation);
  await Promise.race([services.queues.runAllJobs(), process.death]);
  await first.close();
  if (!process.isDead) return false;
  kill.onKilled?.();
  const successor = startTestCrawler({ ...shared, ...services });
  await services.queues.runAllJobs();
  await successor.close();
  return true;
}

/** Collects the final events of a run, and the documents that the run has recorded. */
async function collectOutcome({ blobs, queues, gateway }: Services, generation: number): Promise<object> {
  const index = new Map<string, object>();
  const crawler = startTestCrawler({ html: reader, blobs, queues, gateway });
  const { indexed, settled, enumerated, statuses } = crawler.getOutput({
    datasourceId: 'source',
    runId: `run-${generation}`,
  });
  for (const { documentKey, name, blobKey, metadata } of indexed) {
    index.set(documentKey, { name, metadata, content: await text(await blobs.read(blobKey)) });
  }
  await crawler.close();
  return {
    index: Object.fromEntries(index),
    settled: settled.map(({ documentKey, outcome, code }) => `${documentKey} ${outcome} ${code ?? ''}`).toSorted(),
    enumerated: enumerated.map(({ complete, note, discovered, fetched }) => ({ complete, note, discovered, fetched })),
    failures: statuses.filter(({ status }) => status === 'error'),
  };
}

function createCrashableParts(process: CrashableProcess, { blobs, queues, gateway }: Services) {
  return {
    blobs: process.wrapBlobStore(blobs),
    queues: createCrashableQueues(process, queues),
    gateway,
    runs: process.wrapGateway(gateway.gateway),
  };
}

async function readAllBlobs({ blobs }: Services): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  for await (const key of blobs.list('org/')) found.push([key, sortFields(await text(await blobs.read(key)))]);
  return Object.fromEntries(found);
}

/**
 * Sorts the fields of a JSON record, so that two records with the same fields in different orders are equal. Returns
 * other content unchanged.
 */
function sortFields(content: string): string {
  if (!content.startsWith('{')) return content;
  return JSON.stringify(JSON.parse(content), (_field, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function createServices(): Services {
  return { blobs: createInMemoryBlobStore(), queues: createInMemoryQueues(), gateway: createInMemoryRunGateway() };
}

async function copyServices(services: Services): Promise<Services> {
  const copy = createServices();
  for (const [key, content] of Object.entries(await readAllBlobs(services)))
    await copy.blobs.write(key, Readable.from([content]));
  return copy;
}

describe.each(['crawl-site', 'crawl-page'] as const)('crash recovery of %s jobs', (name) => {
  it('if a crawl job is killed after any of its writes and then resumed, the job ends with the same documents and blobs as an uninterrupted job', async () => {
    const uninterrupted = createServices();
    await runToEnd(uninterrupted, name, 1);
    let writes = 0;
    for (let wasKilled = true; wasKilled; writes += 1) {
      const services = createServices();
      wasKilled = await runToEnd(services, name, 1, { afterWrites: writes + 1 });
      expect(await collectOutcome(services, 1), `after ${writes + 1} writes`).toEqual(
        await collectOutcome(uninterrupted, 1),
      );
      expect(await readAllBlobs(services), `after ${writes + 1} writes`).toEqual(await readAllBlobs(uninterrupted));
    }
    expect(writes).toBeGreaterThan(name === 'crawl-site' ? 20 : 3);
  });

  it('if a crawl job for a changed site is killed and resumed, this run and the next run end with the same documents and blobs as uninterrupted runs', async () => {
    const before = createServices();
    await runToEnd(before, name, 1);
    const uninterrupted = await copyServices(before);
    state = 2;
    await runToEnd(uninterrupted, name, 2);
    const second = await collectOutcome(uninterrupted, 2);
    await runToEnd(uninterrupted, name, 3);
    for (let wasKilled = true, writes = 1; wasKilled; writes += 1) {
      const services = await copyServices(before);
      wasKilled = await runToEnd(services, name, 2, { afterWrites: writes });
      expect(await collectOutcome(services, 2), `after ${writes} writes`).toEqual(second);
      await runToEnd(services, name, 3);
      expect(await collectOutcome(services, 3), `after ${writes} writes`).toEqual(
        await collectOutcome(uninterrupted, 3),
      );
      expect(await readAllBlobs(services), `after ${writes} writes`).toEqual(await readAllBlobs(uninterrupted));
    }
  });

  it('a crawl does not reuse page content that a killed crawler stored without a page record', async () => {
    const before = createServices();
    await runToEnd(before, name, 1);
    const unchanged = await copyServices(before);
    await runToEnd(unchanged, name, 3);
    for (let writes = 1; ; writes += 1) {
      const services = await copyServices(before);
      state = 2;
      const onKilled = (): void => {
        state = 1;
      };
      const wasKilled = await runToEnd(services, name, 2, { afterWrites: writes, onKilled });
      if (!wasKilled) break;
      await runToEnd(services, name, 3);
      expect(await collectOutcome(services, 3), `after ${writes} writes`).toEqual(await collectOutcome(unchanged, 3));
      const blobs = [services, unchanged].map(async (each) => Object.keys(await readAllBlobs(each)).length);
      expect(await blobs[0], `after ${writes} writes`).toBe(await blobs[1]);
    }
  });
});
