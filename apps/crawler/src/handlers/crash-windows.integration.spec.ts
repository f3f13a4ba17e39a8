import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { crawlQueue, type CrawlJobs } from '@quarry/contracts';
import { inMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { CrashableProcess, inMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { htmlReader, type HtmlReader } from '../pages/html-reader.js';
import type { HtmlPage } from '../pages/html/read-html.js';
import { htmlPage } from '../testing/html-page.js';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { manualClock } from '../testing/manual-clock.js';
import { crashableQueues } from '../testing/crashable-queues.js';
import { pageJob, siteJob, testCrawler } from '../testing/test-crawler.js';

const threads = htmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
afterAll(() => threads.close());

/** The same few pages are read some hundred times. */
const read = new Map<string, Promise<HtmlPage>>();
const reader: HtmlReader = {
  read: (input) => {
    const key = `${input.address} ${Buffer.from(input.bytes).toString()}`;
    const page = read.get(key) ?? threads.read(input);
    read.set(key, page);
    return page;
  },
  close: () => Promise.resolve(),
};

/** What there is beside the crawlers, and outlives them. */
interface World {
  readonly blobs: BlobStore;
  readonly queues: InMemoryQueues;
  readonly gateway: InMemoryRunGateway;
}

let site: LocalSite;
/** Which state the site is in: 1, 2 or 3. */
let state: number;

beforeEach(async () => {
  site = await localSite();
  state = 1;
  const page = (path: string, body: () => string | undefined, head = ''): void => {
    site.app.get(path, (_request, response) => {
      const found = body();
      if (found === undefined) response.status(404).end();
      else response.type('html').send(htmlPage(path, found, head));
    });
  };
  const links = (): string =>
    ['/same', '/changes', '/goes', '/names-same', '/copy', '/hidden', '/moved', '/missing']
      .map((path) => `<a href="${path}">${path}</a>`)
      .join(' ');
  page('/', () => `<p>Home.</p>${links()}${state === 2 ? '<a href="/comes">New</a>' : ''}`);
  page('/same', () => '<p>Never changes.</p>');
  page('/changes', () => `<p>In the state ${state}.</p>`);
  page('/goes', () => (state === 2 ? undefined : '<p>Not always there.</p>'));
  page('/comes', () => '<p>Was not there before.</p>');
  page('/names-same', () => `<p>Says something else in the state ${state}.</p>`, '<link rel="canonical" href="/same">');
  page('/copy', () => '<h1>/same</h1><p>Never changes.</p>');
  page('/hidden', () => '<p>Not to be indexed.</p>', '<meta name="robots" content="noindex">');
  site.app.get('/moved', (_request, response) => {
    response.redirect('/same');
  });
});
afterEach(() => site.close());

const addJob = async ({ queues, gateway }: World, name: keyof CrawlJobs, generation: number): Promise<void> => {
  const runId = `run-${generation}`;
  const crawl = queues.producer(crawlQueue);
  gateway.addRun({ datasourceId: 'source', runId });
  if (name === 'crawl-site')
    await crawl.add(name, Object.assign(siteJob({ rootUrl: `${site.origin}/` }, runId), { generation }));
  else await crawl.add(name, Object.assign(pageJob(`${site.origin}/changes`, runId), { generation }));
};

/** Lets a run end, by another crawler when the first one dies after so many writes. @returns whether it died */
async function run(
  world: World,
  name: keyof CrawlJobs,
  generation: number,
  writes = Infinity,
  onDeath = (): void => undefined,
): Promise<boolean> {
  const process = new CrashableProcess({ killedAfter: writes });
  const shared = { html: reader, clock: manualClock() };
  const first = testCrawler({ ...shared, ...crashableParts(process, world) });
  await addJob(world, name, generation);
  await Promise.race([world.queues.drain(), process.death]);
  await first.close();
  if (!process.isDead) return false;
  onDeath();
  const successor = testCrawler({ ...shared, ...world });
  await world.queues.drain();
  await successor.close();
  return true;
}

/** What ingestion makes of all jobs when it comes to them late, and what the last run told of its documents and of itself. */
async function outcomeOf({ blobs, queues, gateway }: World, generation: number): Promise<object> {
  const index = new Map<string, object>();
  const crawler = testCrawler({ html: reader, blobs, queues, gateway });
  const { indexed, settled, enumerated, statuses } = crawler.told({
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

function crashableParts(process: CrashableProcess, { blobs, queues, gateway }: World) {
  return {
    blobs: process.blobs(blobs),
    queues: crashableQueues(process, queues),
    gateway,
    runs: process.gateway(gateway.gateway),
  };
}

async function kept({ blobs }: World): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  for await (const key of blobs.list('org/')) found.push([key, sortFields(await text(await blobs.read(key)))]);
  return Object.fromEntries(found);
}

/** Writes the fields of records in one order, so that only their values are compared. */
function sortFields(content: string): string {
  if (!content.startsWith('{')) return content;
  return JSON.stringify(JSON.parse(content), (_field, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function newWorld(): World {
  return { blobs: inMemoryBlobStore(), queues: inMemoryQueues(), gateway: inMemoryRunGateway() };
}

async function copyOf(world: World): Promise<World> {
  const copy = newWorld();
  for (const [key, content] of Object.entries(await kept(world))) await copy.blobs.write(key, Readable.from([content]));
  return copy;
}

describe.each(['crawl-site', 'crawl-page'] as const)('a %s that is killed after any of its writes', (name) => {
  it('ends as if it had not been, when it is taken over', async () => {
    const undisturbed = newWorld();
    await run(undisturbed, name, 1);
    let windows = 0;
    for (let died = true; died; windows += 1) {
      const world = newWorld();
      died = await run(world, name, 1, windows + 1);
      expect(await outcomeOf(world, 1), `after ${windows + 1} writes`).toEqual(await outcomeOf(undisturbed, 1));
      expect(await kept(world), `after ${windows + 1} writes`).toEqual(await kept(undisturbed));
    }
    expect(windows).toBeGreaterThan(name === 'crawl-site' ? 20 : 3);
  });

  it('does so, too, when the site is not what it was, and the next run leaves nothing that is not needed', async () => {
    const before = newWorld();
    await run(before, name, 1);
    const undisturbed = await copyOf(before);
    state = 2;
    await run(undisturbed, name, 2);
    const second = await outcomeOf(undisturbed, 2);
    await run(undisturbed, name, 3);
    for (let died = true, writes = 1; died; writes += 1) {
      const world = await copyOf(before);
      died = await run(world, name, 2, writes);
      expect(await outcomeOf(world, 2), `after ${writes} writes`).toEqual(second);
      await run(world, name, 3);
      expect(await outcomeOf(world, 3), `after ${writes} writes`).toEqual(await outcomeOf(undisturbed, 3));
      expect(await kept(world), `after ${writes} writes`).toEqual(await kept(undisturbed));
    }
  });

  it('never takes what it had stored in vain for what the page holds', async () => {
    const before = newWorld();
    await run(before, name, 1);
    const unchanged = await copyOf(before);
    await run(unchanged, name, 3);
    for (let writes = 1; ; writes += 1) {
      const world = await copyOf(before);
      state = 2;
      const died = await run(world, name, 2, writes, () => {
        state = 1;
      });
      if (!died) break;
      await run(world, name, 3);
      expect(await outcomeOf(world, 3), `after ${writes} writes`).toEqual(await outcomeOf(unchanged, 3));
      const blobs = [world, unchanged].map(async (each) => Object.keys(await kept(each)).length);
      expect(await blobs[0], `after ${writes} writes`).toBe(await blobs[1]);
    }
  });
});
