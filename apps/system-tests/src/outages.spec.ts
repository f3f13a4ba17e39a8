import { hasS3Server } from '@quarry/blob-store-s3/testing';
import { createClient, type QuarryClient } from '@quarry/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceName } from './quarry/five-services.js';
import { startLinkedServices, type LinkedServices } from './quarry/linked-services.js';
import { METRICS_TOKEN, ROOT_KEY } from './quarry/quarry-process.js';
import { createServicesStack } from './quarry/services-stack.js';
import { createTextFile } from './quarry/text-file.js';

const missing = createServicesStack().missing ?? (hasS3Server() ? undefined : 'there is no versitygw on PATH');
const NOTICED = { timeout: 20_000 };

describe.skipIf(missing !== undefined)(
  `five services while a server is unavailable${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let running: LinkedServices;
    let quarry: QuarryClient;
    let datastoreId: string;

    beforeAll(async () => {
      running = await startLinkedServices();
      quarry = createClient({ baseUrl: running.baseUrl, apiKey: ROOT_KEY, retries: 0 });
      ({ id: datastoreId } = await quarry.createDatastore({ name: 'Stones' }));
      expect(await uploadAndSettle('granite', 'Granite is a hard stone.')).toMatchObject({ status: 'synched' });
    });
    afterAll(() => running.stop());
    afterEach(async () => {
      for (const link of Object.values(running.links)) await link.restore();
      for (const name of ['gateway', 'query', 'ingestion-worker'] as const) {
        await expect.poll(() => readReadiness(name), NOTICED).toEqual({ status: 200, degraded: null });
      }
    });

    const uploadFile = async (name: string, text: string): Promise<string> =>
      (await quarry.uploadFile(datastoreId, createTextFile(`${name}.txt`, text))).id;
    const uploadAndSettle = async (name: string, text: string) => quarry.untilSettled(await uploadFile(name, text));
    const searchTexts = async (query: string): Promise<string> =>
      (await quarry.queryDatastore(datastoreId, { query })).map(({ text }) => text).join('\n');

    const fetchFrom = async (name: ServiceName, path: string): Promise<Response> => {
      const headers = path === '/metrics' ? { Authorization: `Bearer ${METRICS_TOKEN}` } : {};
      return fetch(`http://127.0.0.1:${running.services[name].port}${path}`, { headers });
    };
    const readReadiness = async (name: ServiceName): Promise<object> => {
      const response = await fetchFrom(name, '/health/ready');
      await response.body?.cancel();
      return { status: response.status, degraded: response.headers.get('quarry-degraded') };
    };

    it('while Redis is unavailable, Quarry accepts uploads and indexes them after the reconnection, and searches and lists work', async () => {
      await running.links.queue.break();
      await expect.poll(() => readReadiness('gateway'), NOTICED).toEqual({ status: 200, degraded: 'queue' });
      expect(await readReadiness('ingestion-worker')).toEqual({ status: 503, degraded: 'queue' });
      expect(await (await fetchFrom('gateway', '/metrics')).text()).toContain(
        'quarry_dependency_up{dependency="queue",service="gateway"} 0',
      );
      const id = await uploadFile('marble', 'Marble is a soft stone.');
      expect(await searchTexts('granite')).toContain('Granite is a hard stone.');
      expect((await quarry.listDatasources({ datastoreId })).items).toHaveLength(2);
      expect(await quarry.getDatasource(id)).toMatchObject({ status: 'pending' });
      await running.links.queue.restore();
      expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });
      expect(await searchTexts('marble')).toContain('Marble is a soft stone.');
    });

    it('while the blob store is unavailable, searches work, and uploads are refused with an error that names the blob store', async () => {
      await running.links.blobs.break();
      await expect.poll(() => readReadiness('gateway'), NOTICED).toEqual({ status: 200, degraded: 'blobs' });
      expect(await readReadiness('ingestion-worker')).toMatchObject({ status: 200 });
      expect(await searchTexts('granite')).toContain('Granite is a hard stone.');
      const refusal = {
        status: 503,
        code: 'dependency_unavailable',
        message: expect.stringContaining('blob store') as unknown,
      };
      await expect(uploadFile('slate', 'Slate is flat.')).rejects.toMatchObject(refusal);
      await running.links.blobs.restore();
      expect(await uploadAndSettle('slate', 'Slate is flat.')).toMatchObject({ status: 'synched' });
    });

    it('while the fragment store is unavailable, Quarry refuses searches, accepts uploads, and indexes them after the reconnection', async () => {
      await running.links.fragments.break();
      await expect.poll(() => readReadiness('query'), NOTICED).toEqual({ status: 503, degraded: 'fragments' });
      await expect.poll(() => readReadiness('gateway'), NOTICED).toEqual({ status: 200, degraded: 'query' });
      const id = await uploadFile('chalk', 'Chalk is white.');
      await expect(searchTexts('granite')).rejects.toMatchObject({ status: 503, code: 'dependency_unavailable' });
      await running.links.fragments.restore();
      expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });
      await expect.poll(() => searchTexts('chalk'), NOTICED).toContain('Chalk is white.');
    });

    it('a gateway starts while Redis and the blob store are unavailable, and uses them as soon as they are available', async () => {
      const { gateway } = running.services;
      const { queue, blobs } = running.links;
      await gateway.stop();
      await Promise.all([queue.break(), blobs.break()]);
      await gateway.start();
      expect(await readReadiness('gateway')).toEqual({ status: 200, degraded: 'queue, blobs' });
      expect((await quarry.listDatasources({ datastoreId })).items).not.toEqual([]);
      expect(await searchTexts('granite')).toContain('Granite is a hard stone.');
      await Promise.all([queue.restore(), blobs.restore()]);
      await expect.poll(() => readReadiness('gateway'), NOTICED).toEqual({ status: 200, degraded: null });
      expect(await uploadAndSettle('pumice', 'Pumice floats.')).toMatchObject({ status: 'synched' });
    });

    it('while the query service is stopped, uploads are indexed, and searches are refused with an error that names this service', async () => {
      await running.services.query.stop();
      try {
        await expect.poll(() => readReadiness('gateway'), NOTICED).toEqual({ status: 200, degraded: 'query' });
        expect(await uploadAndSettle('basalt', 'Basalt is dark.')).toMatchObject({ status: 'synched' });
        const message: unknown = expect.stringContaining('query service');
        await expect(searchTexts('granite')).rejects.toMatchObject({ status: 503, message });
      } finally {
        await running.services.query.start();
      }
    });
  },
);
