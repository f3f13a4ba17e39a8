import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Datasource, type QuarryClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startFiveServices, type FiveServices } from './quarry/five-services.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { createServicesStack } from './quarry/services-stack.js';

const PAGES = 150;
/**
 * Response time of the simulated site, in milliseconds. The crawl then takes long enough for the test to interrupt it.
 */
const ANSWER_MS = 100;
const { missing } = createServicesStack();

describe.skipIf(missing !== undefined)(
  `a crawl of many pages by five services${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 300_000 },
  () => {
    let site: Server;
    let address: string;
    let services: FiveServices;
    let quarry: QuarryClient;
    let asked: string[];
    let lastAsked = 0;

    beforeAll(async () => {
      site = createServer((request, response) => {
        const path = request.url ?? '';
        const found = /^\/[ab]\/(\d+)$/.exec(path);
        if (found !== null) {
          asked.push(path);
          lastAsked = Date.now();
        }
        void pause(found === null ? 0 : ANSWER_MS).then(() => {
          response.writeHead(found === null ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
          response.end(found === null ? '' : renderPage(path.slice(0, 3), Number(found[1])));
        });
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`; // a TCP server has this form of address
      services = await startFiveServices({
        ...{ QUARRY_RATE_LIMIT: '0', QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true', QUARRY_CRAWLER_DELAY_MS: '0' },
      });
      quarry = createClient({ baseUrl: services.baseUrl, apiKey: ROOT_KEY });
      asked = [];
    });
    afterAll(async () => {
      await services.stop();
      site.close();
    });

    const crawlFolder = async (folder: string): Promise<string> => {
      asked = [];
      const { id: datastoreId } = await quarry.createDatastore({ name: folder });
      const config = { source_url: `${address}/${folder}/0` };
      return (await quarry.createDatasource({ datastoreId, type: 'web_site', name: folder, config })).id;
    };
    const waitForRequest = (pages: number): Promise<boolean> =>
      vi.waitUntil(() => asked.length >= pages, { timeout: 120_000, interval: 20 });

    it('if all crawlers are killed during a crawl, a restarted crawler resumes the crawl, and no page is lost or indexed twice', async () => {
      const id = await crawlFolder('a');
      const seen: Datasource[] = [];
      await waitForRequest(PAGES / 3);
      seen.push(await quarry.getDatasource(id));
      await waitForRequest(PAGES / 2);
      const [first, second] = services.replicas.crawler;
      await Promise.all([first?.kill(), second?.kill()]);
      const askedBefore = asked.length;
      await second?.start();
      const settled = await quarry.untilSettled(id);
      expect(settled).toMatchObject({
        status: 'synched',
        run: { counters: { discovered: PAGES, fetched: PAGES, indexed: PAGES, unchanged: 0, failed: 0 } },
      });
      expect(seen[0]).toMatchObject({ status: 'running' });
      const { counters, progress } = seen[0]?.run ?? {};
      const { done = 0, total } = progress ?? {};
      const { fetched = 0 } = counters ?? {};
      expect([fetched > 0, fetched < PAGES, (total ?? 0) > done]).toEqual([true, true, true]);
      const documents = (await quarry.listDocuments(id, { limit: 200 })).items;
      expect(new Set(documents.map(({ documentKey }) => documentKey)).size).toBe(PAGES);
      expect(askedBefore).toBeLessThan(PAGES);
      // The pages that were in progress at the kill are requested again.
      expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(20);
      await first?.start();
      await quarry.syncDatasource(id);
      const again = await quarry.untilSettled(id);
      expect(again.run?.counters).toMatchObject({ fetched: PAGES, indexed: 0, unchanged: PAGES, removed: 0 });
    });

    it('a cancelled crawl sends at most 20 further requests, and the documents of its indexed pages remain', async () => {
      const id = await crawlFolder('b');
      await waitForRequest(PAGES / 3);
      await quarry.cancelDatasource(id);
      const askedBefore = asked.length;
      // A crawl in progress sends several requests in three seconds. Three seconds without a request show that the
      // crawl has stopped.
      await vi.waitUntil(() => Date.now() - lastAsked > 3_000, { timeout: 60_000, interval: 50 });
      expect(asked.length - askedBefore).toBeLessThanOrEqual(20);
      expect(await quarry.getDatasource(id)).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
      const documents = (await quarry.listDocuments(id, { limit: 200 })).items;
      expect(documents.some(({ outcome }) => outcome === 'indexed')).toBe(true);
    });
  },
);

function renderPage(folder: string, n: number): string {
  const links = [n * 3 + 1, n * 3 + 2, n * 3 + 3].filter((next) => next < PAGES);
  const body = links.map((next) => `<a href="${folder}${next}">Stone ${next}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><title>Stone ${n}</title></head><body><main><h1>Stone ${n}</h1><p>This is stone ${n} of the quarry.</p>${body}</main></body></html>`;
}
