import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { hasS3Server } from '@quarry/blob-store-s3/testing';
import { createClient, type QuarryClient } from '@quarry/client';
import { openDatabase } from '@quarry/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHOP_KEY, startPausedSite, type PausedSite } from './quarry/paused-site.js';
import { startLinkedServices, type LinkedServices } from './quarry/linked-services.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { createServicesStack } from './quarry/services-stack.js';
import { buildSlowPdf } from './quarry/slow-pdf.js';
import { createTextFile } from './quarry/text-file.js';

const missing = createServicesStack().missing ?? (hasS3Server() ? undefined : 'there is no versitygw on PATH');
const PAGES = 6;
const PRODUCTS = 12;
const WAITING = 8;
const TEST_MS = 400_000;
const SOON = { timeout: 120_000, interval: 200 };
/**
 * Settings of the services. Each worker runs one job at a time, so that all other jobs wait in the queues, and the
 * watchdog runs every second.
 */
const VARIABLES = {
  QUARRY_WATCH_SECONDS: '1',
  QUARRY_RUN_LOST_AFTER_MINUTES: '1',
  QUARRY_INGESTION_CONCURRENCY: '1',
  QUARRY_CRAWLER_CONCURRENCY: '1',
  QUARRY_CATALOG_CONCURRENCY: '1',
  QUARRY_CRAWLER_DELAY_MS: '0',
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
  QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true',
};

describe.skipIf(missing !== undefined)(
  `a Redis that loses all its data${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let running: LinkedServices;
    let site: PausedSite;
    let quarry: QuarryClient;
    let datastoreId: string;
    let webhook: Server;
    /** The ids of the datasources whose event `datasource.synched` the webhook has accepted. */
    const announced = new Set<string>();
    let isWebhookUp = false;

    beforeAll(async () => {
      site = await startPausedSite(PAGES, PRODUCTS);
      running = await startLinkedServices(VARIABLES);
      quarry = createClient({ baseUrl: running.baseUrl, apiKey: ROOT_KEY, retries: 0 });
      ({ id: datastoreId } = await quarry.createDatastore({ name: 'Stones' }));
      webhook = createServer((request, response) => {
        void text(request).then((body) => {
          const { data } = JSON.parse(body) as { readonly data: { readonly datasourceId: string } }; // the documented form
          if (isWebhookUp) announced.add(data.datasourceId);
          response.writeHead(isWebhookUp ? 204 : 503).end();
        });
      }).listen(0, '127.0.0.1');
      await once(webhook, 'listening');
      const { port } = webhook.address() as AddressInfo; // a TCP server has this form of address
      await quarry.createWebhook({ url: `http://127.0.0.1:${port}/`, events: ['datasource.synched'] });
    });
    afterAll(async () => {
      await site.close();
      await running.stop();
      webhook.close();
    });

    const uploadFile = async (name: string, content: string): Promise<string> =>
      (await quarry.uploadFile(datastoreId, createTextFile(name, content))).id;
    const crawlAddress = async (type: 'web_page' | 'web_site', path: string): Promise<string> => {
      const config = { source_url: `${site.url}${path}` };
      return (await quarry.createDatasource({ datastoreId, type, name: path, config })).id;
    };
    const createListing = async (name: string): Promise<string> => {
      const config = { url: `${site.url}/shop/items`, headers: { 'X-API-Key': SHOP_KEY }, page_size: 5 };
      return (await quarry.createDatasource({ datastoreId, type: 'item_listing', name, config })).id;
    };
    const searchTexts = async (query: string): Promise<readonly string[]> =>
      (await quarry.queryDatastore(datastoreId, { query, topK: 50 })).map((found) => found.text);

    it(
      'no work is lost when Redis loses its data: each datasource is indexed completely, and deleted content is removed',
      async () => {
        const [known, deleted] = [
          await uploadFile('known.txt', 'Slate is flat.'),
          await uploadFile('gone.txt', 'Opal shines.'),
        ];
        for (const id of [known, deleted]) expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });

        const pages = Array.from({ length: 120 }, (_, at) => `Sheet number${at} of the survey`);
        const slow = (
          await quarry.uploadFile(datastoreId, new File([buildSlowPdf(pages)], 'slow.pdf', { type: 'application/pdf' }))
        ).id;
        await expect.poll(async () => (await quarry.getDatasource(slow)).status, SOON).toBe('running');
        const waiting: string[] = [];
        for (let at = 0; at < WAITING; at += 1)
          waiting.push(await uploadFile(`${at}.txt`, `Boulder number${at} is round.`));
        await quarry.deleteDatasource(deleted);
        const webSite = await crawlAddress('web_site', '/0');
        await expect.poll(() => site.waitingPaths.size, SOON).toBeGreaterThan(0);
        const webPage = await crawlAddress('web_page', '/1');
        const [listing, other] = [await createListing('one'), await createListing('two')];
        await expect.poll(() => [...site.waitingPaths].filter((path) => path.startsWith('/shop')).length, SOON).toBe(1);

        await flushRedis(running.redisUrl);
        site.release();
        isWebhookUp = true;

        const counted: readonly (readonly [id: string, indexed: number])[] = [
          ...[slow, webPage, ...waiting].map((id) => [id, 1] as const),
          [webSite, PAGES],
          [listing, PRODUCTS],
          [other, PRODUCTS],
        ];
        for (const [id, indexed] of counted) {
          const settled = await quarry.untilSettled(id, { signal: AbortSignal.timeout(TEST_MS / 2) });
          expect(settled).toMatchObject({ status: 'synched', run: { counters: { indexed, failed: 0 } } });
        }
        for (let at = 0; at < WAITING; at += 1) {
          const found = await searchTexts(`Boulder number${at}`);
          expect(found.filter((one) => one.includes(`Boulder number${at} `))).toHaveLength(1);
        }
        expect((await searchTexts('opal')).filter((one) => one.includes('Opal'))).toEqual([]);
        await makeRemovalsDue(running.databaseUrl);
        await expect.poll(() => countPendingRemovals(running.databaseUrl), SOON).toBe(0);
        await expect
          .poll(() => [known, ...counted.map(([id]) => id)].filter((id) => !announced.has(id)), SOON)
          .toEqual([]);
      },
      TEST_MS,
    );
  },
);

/** Deletes all keys of the Redis at this address. */
async function flushRedis(url: string): Promise<void> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('FLUSHALL\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toBe('+OK\r\n');
  socket.destroy();
}

/** Makes all pending removals of deleted content due now, so that the watchdog enqueues their jobs again. */
async function makeRemovalsDue(databaseUrl: string): Promise<void> {
  await runSqlAndCountRows(databaseUrl, 'update quarry.removals set repeat_at = now() returning id');
}

async function countPendingRemovals(databaseUrl: string): Promise<number> {
  return runSqlAndCountRows(databaseUrl, 'select id from quarry.removals');
}

/** Runs an SQL statement. Returns the number of rows of its result. */
async function runSqlAndCountRows(url: string, statement: string): Promise<number> {
  const database = openDatabase({ url, connections: 2, onConnectionLost: () => undefined });
  try {
    return (await database.pool.query(statement)).rows.length;
  } finally {
    await database.close();
  }
}
