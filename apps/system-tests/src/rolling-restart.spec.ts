import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type CreateDatasourceRequest, type QuarryClient } from '@quarry/client';
import { createExampleListing } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';
import { connectClient, connectEarlierClient, type McpTestClient } from '@quarry/gateway/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SERVICES, startFiveServices, type FiveServices } from './quarry/five-services.js';
import { PAUSE_MARKER, startPausableModel, type PausableModel } from './quarry/pausable-model.js';
import { createRetryingFetch } from './quarry/create-retrying-fetch.js';
import { startParallelLoad, type Load } from './quarry/start-parallel-load.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { ServiceProcess } from './quarry/service-process.js';
import { createServicesStack } from './quarry/services-stack.js';
import { readAnswerStream } from './quarry/read-stream.js';
import { createTextFile } from './quarry/text-file.js';

const API_KEY = 'the-key-of-the-shop';
const PAGES = 8;
const PRODUCTS = 20;
/** Number of repetitions that each kind of work of the load must complete between two restarts. */
const MIN_REPETITIONS = 1;
const TEST_MS = 420_000;
const { missing } = createServicesStack();

describe.skipIf(missing !== undefined)(
  `five services that are restarted one after the other${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let model: PausableModel;
    let outside: readonly Server[];
    let services: FiveServices;
    let quarry: QuarryClient;
    let datastoreId: string;
    let agentId: string;
    /** One MCP client per revision of the protocol. The clients do not repeat failed requests. */
    let mcpClients: readonly McpTestClient[];
    let sentAgain = 0;

    beforeAll(async () => {
      model = await startPausableModel();
      outside = await Promise.all([
        listenOnFreePort(serveSite()),
        listenOnFreePort(createExampleListing(() => makeProducts(PRODUCTS), API_KEY)),
      ]);
      services = await startFiveServices({
        QUARRY_MODEL_BASE_URL: model.url,
        QUARRY_MODEL: 'held',
        QUARRY_RATE_LIMIT: '0',
        QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
        QUARRY_CRAWLER_DELAY_MS: '0',
        QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
      });
      quarry = createClient({
        baseUrl: services.baseUrl,
        apiKey: ROOT_KEY,
        fetch: createRetryingFetch(() => (sentAgain += 1)),
        retries: 0,
      });
      ({ id: datastoreId } = await quarry.createDatastore({ name: 'Stones' }));
      ({ id: agentId } = await quarry.createAgent({ name: 'Mason', datastoreIds: [datastoreId] }));
      const { id } = await quarry.uploadFile(datastoreId, createTextFile('granite.txt', 'Granite is a hard stone.'));
      expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });
      const mcp = `${new URL(services.baseUrl).origin}/mcp`;
      mcpClients = await Promise.all([connectClient, connectEarlierClient].map((connect) => connect(mcp, ROOT_KEY)));
    });
    afterAll(async () => {
      for (const client of mcpClients) await client.close();
      await services.stop();
      await model.close();
      for (const server of outside) server.close();
    });

    it(
      'during a rolling restart of all services under load, no request fails and no document is lost',
      async () => {
        const [pages, shop] = outside.map(getAddress);
        const uploaded: string[] = [];
        const gathered: { readonly id: string; readonly count: number }[] = [];
        const ingestSource = async (request: CreateDatasourceRequest, count: number): Promise<void> => {
          const { id } = await quarry.createDatasource(request);
          gathered.push({ id, count });
          await quarry.untilSettled(id);
        };
        const load = startParallelLoad({
          upload: async (turn) => {
            const { id } = await quarry.uploadFile(
              datastoreId,
              createTextFile(`${turn}.txt`, `Stone number${turn} is hard.`),
            );
            uploaded.push(id);
          },
          upsert: async (turn) => {
            const text = `Boulder number${turn} is round.`;
            uploaded.push(
              ...(await quarry.upsertDocuments(datastoreId, [{ id: `b${turn}`, name: `b${turn}`, text }])).ids,
            );
          },
          crawl: async () => {
            const config = { source_url: `${pages}/` };
            await ingestSource({ datastoreId, type: 'web_site', name: 'pages', config }, PAGES);
          },
          listing: async () => {
            const config = { url: `${shop}/items`, headers: { 'X-API-Key': API_KEY }, page_size: 5 };
            await ingestSource({ datastoreId, type: 'item_listing', name: 'shop', config }, PRODUCTS);
          },
          search: async () => {
            expect(await quarry.queryDatastore(datastoreId, { query: 'Which stone is hard?' })).not.toEqual([]);
          },
          ask: async () => {
            const { answer } = await quarry.queryAgent(agentId, { query: 'Which stone is hard?' });
            expect(answer).toBe('Granite cools slowly.');
          },
          stream: async () => {
            const { response } = await readAnswerStream(quarry, agentId, { query: 'Which stone is hard?' });
            expect(response.answer).toBe('Granite cools slowly.');
          },
          callMcp: async () => callSearchAndAskTools(mcpClients[0], agentId),
          callEarlierMcp: async () => callSearchAndAskTools(mcpClients[1], agentId),
        });
        await waitForCompletions(load);
        for (const name of SERVICES) {
          for (const replica of services.replicas[name]) {
            expect({ name, code: await replica.stop() }).toEqual({ name, code: 0 });
            await waitForCompletions(load);
            await replica.start();
          }
        }
        await waitForCompletions(load);
        await load.stop();
        console.log('completed repetitions under load:', load.done, 'requests sent again:', sentAgain);

        expect(load.failures).toEqual([]);
        for (const id of uploaded) {
          expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched', run: { counters: { failed: 0 } } });
        }
        for (const { id, count } of gathered) {
          expect(await quarry.untilSettled(id)).toMatchObject({
            status: 'synched',
            run: { counters: { indexed: count, failed: 0 } },
          });
        }
        for (const [kind, noun] of [
          ['upload', 'Stone'],
          ['upsert', 'Boulder'],
        ] as const) {
          for (let turn = 1; turn <= (load.done[kind] ?? 0); turn += 1) {
            const text = `${noun} number${turn} `;
            const found = await quarry.queryDatastore(datastoreId, { query: text });
            expect(found.map((result) => result.text).join('\n')).toContain(text);
          }
        }
      },
      TEST_MS,
    );

    it.each(['gateway', 'query'] as const)(
      'streamed answers are complete although all replicas of the service %s shut down while the model generates the answers',
      async (name) => {
        const answers = Array.from({ length: 6 }, () =>
          readAnswerStream(quarry, agentId, { query: `Which stone is hard? ${PAUSE_MARKER}` }),
        );
        await expect.poll(() => model.pausedAnswers, { timeout: 20_000 }).toBe(answers.length);
        const calls = mcpClients.map((client) =>
          client.callTool('ask', { question: `Which stone is hard? ${PAUSE_MARKER}`, agentId }),
        );
        await expect.poll(() => model.pausedAnswers, { timeout: 20_000 }).toBe(answers.length + calls.length);
        const replicas = services.replicas[name];
        const ended = replicas.map((replica) => replica.stop());
        await Promise.all(replicas.map(waitUntilConnectionsAreRefused));
        model.resumeAnswers();
        for (const { response } of await Promise.all(answers)) expect(response.answer).toBe('Granite cools slowly.');
        for (const { structuredContent } of await Promise.all(calls))
          expect(structuredContent).toMatchObject({ answer: 'Granite cools slowly.' });
        expect(await Promise.all(ended)).toEqual([0, 0]);
        await Promise.all(replicas.map((replica) => replica.start()));
      },
    );
  },
);

/**
 * Waits until each kind of work has completed `MIN_REPETITIONS` repetitions since the call of this function.
 *
 * @throws Error if a repetition has failed, or after 60 seconds
 */
async function waitForCompletions({ done, failures }: Load): Promise<void> {
  const before = { ...done };
  await vi.waitUntil(
    () => {
      expect(failures).toEqual([]);
      return Object.entries(done).every(([name, times]) => times >= (before[name] ?? 0) + MIN_REPETITIONS);
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Calls the tools `search` and `ask` with an MCP client. */
async function callSearchAndAskTools(client: McpTestClient | undefined, agentId: string): Promise<void> {
  const found = await client?.callTool('search', { query: 'Which stone is hard?' });
  expect(found).toMatchObject({
    structuredContent: { results: expect.arrayContaining([expect.anything()]) as unknown },
  });
  const asked = await client?.callTool('ask', { question: 'Which stone is hard?', agentId });
  expect(asked).toMatchObject({ structuredContent: { answer: 'Granite cools slowly.' } });
}

async function waitUntilConnectionsAreRefused({ port }: ServiceProcess): Promise<void> {
  const isRefused = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused, { timeout: 10_000 }).toBe(true);
}

function serveSite(): Server {
  return createServer((request, response) => {
    const number = Number((request.url ?? '').replace(/^\/(p(?=\d))?/, '') || '0');
    const links = Array.from({ length: PAGES }, (_, page) => `<a href="/p${page}">Page ${page}</a>`).join(' ');
    response.writeHead(Number.isInteger(number) && number < PAGES ? 200 : 404, { 'Content-Type': 'text/html' });
    const text = `<h1>Page ${number}</h1><p>Page ${number} tells of the quarry's wall ${number}.</p>`;
    response.end(`<!doctype html><title>Page ${number}</title><main>${text}${links}</main>`);
  });
}

async function listenOnFreePort(app: Server | ReturnType<typeof createExampleListing>): Promise<Server> {
  return new Promise((resolve) => {
    const server: Server = app.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function getAddress(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has this form of address
}
