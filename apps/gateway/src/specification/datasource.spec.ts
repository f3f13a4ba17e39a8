import { datasourceStatusQueue, DATASOURCE_STATUSES, type DatasourceResponse } from '@quarry/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { createSite, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const AT = '2026-06-01T12:00:00.000Z';
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let consumer: { close(deadlineMs: number): Promise<void> };
let id: string;

beforeAll(() => {
  consumer = startConsumers(used.test.gateway);
});
afterAll(async () => consumer.close(0));
beforeEach(async () => {
  id = await uploadText(used.tenant.api, used.datastore, 'x', 'manual.txt');
});

const getDatasource = async (of = id): Promise<DatasourceResponse> =>
  (await used.tenant.api.get(`/api/datasources/${of}`)).body as DatasourceResponse; // as documented

async function reportRunEnd(status: string, more: object = {}): Promise<void> {
  const runId = (await getDatasource()).run?.id ?? '';
  const event = { datasourceId: id, runId, sequence: 1, at: AT, status, ...more } as const;
  await used.test.queues.createProducer(datasourceStatusQueue).add('status-changed', event as never); // the consumer parses it
  await used.test.queues.runAllJobs();
}

describe('Datasource', () => {
  it('a datasource has the field `id`, a string', async () => {
    expect(await getDatasource()).toMatchObject({ id });
  });

  it('a datasource has the field `type`, which is `file`, `web_page` or `web_site`', async () => {
    expect((await getDatasource()).type).toBe('file');
    expect((await getDatasource(await createSite(used.tenant.api, used.datastore))).type).toBe('web_site');
    const page = { type: 'web_page', name: 'p', config: { source_url: 'https://example.org' } };
    const made = await used.tenant.api.post('/api/datasources').send({ ...page, datastoreId: used.datastore });
    expect(made.body).toMatchObject({ type: 'web_page' });
  });

  it('a datasource has the field `name`, a string', async () => {
    expect((await getDatasource()).name).toBe('manual.txt');
  });

  it('a datasource has the field `status` with one of six values', async () => {
    expect(DATASOURCE_STATUSES.join(', ')).toBe('unsynched, pending, running, synched, error, usage_limit_reached');
    expect((await getDatasource()).status).toBe('pending');
    await reportRunEnd('running');
    expect((await getDatasource()).status).toBe('running');
  });

  it.each(['synched', 'error', 'usage_limit_reached'])(
    'a sync of a datasource with the status %s starts a new run',
    async (status) => {
      await reportRunEnd(status);
      expect((await getDatasource()).status).toBe(status);
      const again = await used.tenant.api.post(`/api/datasources/${id}/sync`);
      expect(again.body).toMatchObject({ status: 'pending', error: null });
    },
  );

  it('a datasource has the field `groupId`, a string', async () => {
    expect((await getDatasource()).groupId).toBe(id);
  });

  it('a datasource has the field `updatedAt`, a date as a string', async () => {
    const before = (await getDatasource()).updatedAt;
    expect(before).toMatch(DATE);
    await used.tenant.api.post(`/api/datasources/${id}/sync`);
    expect((await getDatasource()).updatedAt > before).toBe(true);
  });

  it('a datasource has the field `createdAt`, a date as a string', async () => {
    const { createdAt } = await getDatasource();
    expect(createdAt).toMatch(DATE);
    await used.tenant.api.post(`/api/datasources/${id}/sync`);
    expect((await getDatasource()).createdAt).toBe(createdAt);
  });

  it('a datasource has the field `lastSynch`, a date as a string or null before the first sync', async () => {
    expect((await getDatasource()).lastSynch).toBeNull();
    await reportRunEnd('synched');
    expect((await getDatasource()).lastSynch).toBe(AT);
  });

  it('a datasource has the field `config`, an object that depends on the type', async () => {
    expect((await getDatasource()).config).toEqual({ fileName: 'manual.txt', mimeType: 'text/plain', fileSize: 1 });
    const site = await getDatasource(await createSite(used.tenant.api, used.datastore));
    expect(site.config).toEqual({ source_url: 'https://example.com/' });
  });
});
