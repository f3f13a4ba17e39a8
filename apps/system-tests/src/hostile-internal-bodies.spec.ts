import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@quarry/client';
import { MODEL_PATHS, RUN_GATEWAY_PATHS, SERVICE_REPORT_PATHS, TOKEN_CLAIMS_PATH } from '@quarry/contracts';
import { startTestPostgres, type TestPostgres } from '@quarry/embedded-postgres/testing';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { buildHostileInternalRequests, type InternalRoute } from './quarry/hostile-requests.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { sendRequestsAndFindFaults, sendHostileRequest } from './quarry/send-hostile-request.js';
import { startService, type ServiceProcess } from './quarry/service-process.js';
import { createTextFile } from './quarry/text-file.js';

const TOKEN = 'the-token-of-the-services';

let folder: string;
let postgres: TestPostgres;
let started: readonly ServiceProcess[];
let ids: { readonly organizationId: string; readonly datastoreId: string; readonly datasourceId: string };
let runId: string;

beforeAll(async () => {
  [folder, postgres] = await Promise.all([createDataFolder(), startTestPostgres()]);
  const database = await postgres.createDatabase();
  const gatewayPort = await findFreePort();
  const queryPort = await findFreePort();
  await mkdir(join(folder, 'blobs'));
  const variables = {
    DATABASE_URL: database,
    QUARRY_QUEUE_URL: database,
    QUARRY_BLOB_URL: pathToFileURL(join(folder, 'blobs')).href,
    QUARRY_LANCEDB_DIR: join(folder, 'fragments'),
    QUARRY_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    QUARRY_QUERY_URL: `http://127.0.0.1:${queryPort}`,
    QUARRY_INTERNAL_TOKEN: TOKEN,
    QUARRY_SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    QUARRY_ROOT_KEY: ROOT_KEY,
    QUARRY_LOG_LEVEL: 'warn',
  };
  const worker = await startService('ingestion-worker', await findFreePort(), {
    ...variables,
    QUARRY_QUERY_URL: '',
  });
  started = [
    ...(await Promise.all([
      startService('gateway', gatewayPort, variables),
      startService('query', queryPort, variables),
    ])),
    worker,
  ];
  const quarry = createClient({ baseUrl: `http://127.0.0.1:${gatewayPort}/api`, apiKey: ROOT_KEY });
  const { id: datastoreId } = await quarry.createDatastore({ name: 'hostile' });
  const file = await quarry.uploadFile(datastoreId, createTextFile('granite.txt', 'Granite is a hard stone.'));
  expect(await quarry.untilSettled(file.id)).toMatchObject({ status: 'synched' });
  const config = { source_url: 'https://example.com/' };
  // The run of this site stays in progress, because no crawler is running.
  const site = await quarry.createDatasource({ datastoreId, type: 'web_site', name: 'site', config });
  const [run] = (await quarry.listRuns(site.id)).items;
  runId = run?.id ?? '';
  ids = { organizationId: (await quarry.getMe()).organization.id, datastoreId, datasourceId: site.id };
});

afterAll(async () => {
  await Promise.all(started.map((service) => service.stop()));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

function listGatewayRoutes(): readonly InternalRoute[] {
  const { organizationId, datasourceId } = ids;
  const run = { datasourceId, runId };
  const document = {
    ...{ documentKey: 'a', name: 'a', blobKey: 'a/b', blobPart: { start: 0, length: 1 }, mimeType: 'text/html' },
    ...{ source: 'https://example.com/a', metadata: { custom_id: 'c', price: 1 }, version: 'v1' },
  };
  const settled = {
    documentKey: 'b',
    outcome: 'failed',
    code: 'not_found',
    message: 'It is not there.',
    name: 'b',
    source: 's',
  };
  return [
    { path: RUN_GATEWAY_PATHS.runStates, body: { runs: [run] } },
    { path: RUN_GATEWAY_PATHS.openRun, body: run },
    { path: RUN_GATEWAY_PATHS.indexedVersions, body: { datasourceId, documentKeys: ['a'] } },
    {
      path: RUN_GATEWAY_PATHS.enqueueDocument,
      body: {
        ...{ ...ids, ...run, ...document, datasourceType: 'web_page', generation: 1 },
        splitting: { maxTokens: 512, overlapTokens: 64 },
      },
    },
    { path: TOKEN_CLAIMS_PATH, body: { organizationId, datasourceId, documentKey: 'a', tokens: 5 } },
    {
      path: SERVICE_REPORT_PATHS.report,
      body: {
        ...{ name: 'crawler', instance: 'host-1', version: '1.0.0', startedAt: new Date().toISOString() },
        dependencies: [{ name: 'queue', required: true, reason: null, affects: ['crawls'] }],
        components: [{ kind: 'page_renderer', name: 'chromium' }],
      },
    },
    { path: SERVICE_REPORT_PATHS.end, body: { instance: 'host-1' } },
    {
      path: RUN_GATEWAY_PATHS.recordDocuments,
      body: { ...run, at: new Date().toISOString(), toIndex: [document], settled: [settled], checkpoint: { at: 7 } },
    },
  ];
}

function listQueryRoutes(): readonly InternalRoute[] {
  const { organizationId, datastoreId, datasourceId } = ids;
  const scope = {
    organizationId,
    datastores: [{ id: datastoreId }],
    filters: {
      custom_ids: ['c'],
      datasource_ids: [datasourceId],
      price: { min: 1, max: 2 },
      stock_status: ['instock'],
    },
    excluded: {
      datasourceIds: [datasourceId],
      documents: [{ datastoreId, datasourceId, documentKey: 'a', upTo: 1 }],
    },
  };
  const generation = { temperature: 0.5, maxTokens: 10, presencePenalty: 0, frequencyPenalty: 0, topP: 1 };
  const embedded = {
    ...scope,
    datastores: [{ id: datastoreId, embedding: { model: 'm', dimensions: 3, distance: 'cosine' } }],
  };
  const connection = { provider: 'custom', apiKey: 'k', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
  return [
    { path: '/internal/search', body: { ...scope, query: 'granite', topK: 5 } },
    { path: '/internal/search', body: { ...embedded, query: 'granite', topK: 5 } },
    {
      path: '/internal/answer',
      body: {
        ...scope,
        ...{ query: 'Is granite hard?', history: [{ role: 'user', text: 'Hello' }], generation },
        ...{ systemPrompt: 's', userPrompt: 'u', promptType: 'raw', promptTemplate: '{query}' },
        ...{ restrictToKnowledge: true, citationMarks: true },
      },
    },
    { path: MODEL_PATHS.list, body: { connections: [connection] } },
    { path: MODEL_PATHS.test, body: { connection } },
  ];
}

describe('hostile bodies on internal routes of real processes', () => {
  it.each([
    ['gateway', 0, listGatewayRoutes],
    ['query', 1, listQueryRoutes],
  ] as const)(
    'the service %s refuses hostile bodies on its internal routes with a problem response, without a crash or an internal error',
    async (_name, at, routesOf) => {
      const service = started[at];
      if (service === undefined) throw new Error('expected started services, found none');
      const target = { origin: `http://127.0.0.1:${service.port}`, token: TOKEN };
      const { pid } = service;
      for (const { path, body } of routesOf()) {
        const valid = { title: path, method: 'post', path, type: 'application/json', body: JSON.stringify(body) };
        expect([200, 204]).toContain((await sendHostileRequest(target, valid)).status);
        expect(await sendHostileRequest({ ...target, token: 'another' }, valid)).toMatchObject({ status: 401 });
      }
      const requests = buildHostileInternalRequests(routesOf());
      expect(requests.length).toBeGreaterThan(800);
      expect(await sendRequestsAndFindFaults(target, requests), service.output()).toEqual([]);
      expect(service.pid).toBe(pid);
      expect((await fetch(`${target.origin}/health/live`)).status).toBe(200);
    },
  );
});
