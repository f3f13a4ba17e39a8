import { crawlQueue } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { publishOutboxJobs } from '../testing/jobs.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

const used = setUpTenant();

describe('POST /api/datasources with JSON', () => {
  const config = { source_url: 'https://example.com/page' };

  it('POST /api/datasources refuses an address that is too long after URL encoding', async () => {
    // The characters differ, because PostgreSQL could compress an address of equal characters.
    const path = Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(
      '',
    );
    const address = `https://example.com/${path}`;
    for (const type of ['web_page', 'web_site']) {
      const body = { type, name: 'Long', config: { source_url: address }, datastoreId: used.datastore };
      const refused = await used.tenant.api.post('/api/datasources').send(body);
      expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'config.source_url' }] });
    }
  });

  it.each([
    [
      { type: 'web_page', name: 'Page', config },
      { name: 'crawl-page', payload: { url: config.source_url } },
    ],
    [
      { type: 'web_site', name: 'Site', config },
      { name: 'crawl-site', payload: { rootUrl: config.source_url } },
    ],
    [
      { type: 'web_site', name: 'Site', config: { sitemap: 'https://example.com/sitemap.xml' } },
      { name: 'crawl-site', payload: { sitemap: 'https://example.com/sitemap.xml' } },
    ],
  ])('POST /api/datasources accepts the datasource %j, and enqueues the job %j', async (body, job) => {
    const response = await used.tenant.api
      .post('/api/datasources')
      .send({ ...body, datastoreId: used.datastore, extra: 1 });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ type: body.type, name: body.name, status: 'pending', config: body.config });
    await publishOutboxJobs(used.test);
    const { id, run } = response.body as { id: string; run: { id: string } }; // the assertions above check the fields
    expect(used.test.queues.listAddedJobs(crawlQueue)).toContainEqual(
      expect.objectContaining({
        ...job,
        payload: expect.objectContaining({ ...job.payload, datasourceId: id, runId: run.id }) as unknown,
      }),
    );
  });

  it('adding the same web page again starts another run of the existing datasource', async () => {
    const body = { type: 'web_page', name: 'Page', config: { source_url: 'https://example.com/same' } };
    const createSource = () => used.tenant.api.post('/api/datasources').send({ ...body, datastoreId: used.datastore });
    const first = (await createSource()).body as { id: string; run: { id: string } };
    const second = (await createSource()).body as { id: string; run: { id: string } };
    expect(second.id).toBe(first.id);
    expect(second.run.id).not.toBe(first.run.id);
  });

  it.each([
    [{ type: 'web_page', config: { source_url: 'https://example.com/unnamed' } }, 'https://example.com/unnamed'],
    [{ type: 'web_site', config: { sitemap: 'https://example.com/map.xml' } }, 'https://example.com/map.xml'],
    [{ type: 'item_listing', config: { url: 'https://example.com/items' } }, 'https://example.com/items'],
    [
      { type: 'web_page', config: { source_url: `https://example.com/${'x'.repeat(600)}` } },
      `https://example.com/${'x'.repeat(480)}`,
    ],
  ])('POST /api/datasources names the datasource %j by its address if the request has no name', async (body, name) => {
    const response = await used.tenant.api.post('/api/datasources').send({ ...body, datastoreId: used.datastore });
    expect(response.body).toMatchObject({ name });
  });

  it('a web page that is added again without a name keeps its existing name', async () => {
    const body = { type: 'web_page', config: { source_url: 'https://example.com/named' }, datastoreId: used.datastore };
    await used.tenant.api.post('/api/datasources').send({ ...body, name: 'Named' });
    expect((await used.tenant.api.post('/api/datasources').send(body)).body).toMatchObject({ name: 'Named' });
  });

  it.each([
    [{}, 'type'],
    [{ type: 'rss' }, 'type'],
    [{ type: 'file' }, 'type'],
    [{ type: 'web_page', name: 'a', config: {} }, 'config.source_url'],
    [{ type: 'web_page', name: 'a' }, 'config'],
    [{ type: 'web_page', name: '', config }, 'name'],
    [{ type: 'web_page', name: ' \t', config }, 'name'],
    [{ type: 'web_page', name: 'a', config: { source_url: 'ftp://example.com' } }, 'config.source_url'],
    [{ type: 'web_site', name: 'a', config: {} }, 'config'],
    [{ type: 'web_site', name: 'a', config: { sitemap: 'example.com/map.xml' } }, 'config.sitemap'],
    [{ type: 'web_site', name: 'a', config: { source_url: 'nonsense' } }, 'config.source_url'],
    [{ type: 'item_listing', name: 'a', config: { url: 'nonsense' } }, 'config.url'],
    [{ type: 'web_page', name: 'a', config: { source_url: 'http://10.0.0.1/' } }, 'config.source_url'],
    [{ type: 'web_site', name: 'a', config: { sitemap: 'http://localhost/sitemap.xml' } }, 'config.sitemap'],
  ])('POST /api/datasources refuses the body %j, and names the field %s', async (body, path) => {
    const response = await used.tenant.api.post('/api/datasources').send({ ...body, datastoreId: used.datastore });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it.each([
    [{ type: 'web_site', config: {} }, 'config must contain sitemap or source_url, found neither.'],
    [
      { type: 'web_page', config: { source_url: 'example.com' } },
      'config.source_url must be a complete http or https URL, found "example.com".',
    ],
    [
      { type: 'web_site', config: { source_url: 'ftp://example.com' } },
      'config.source_url must be a complete http or https URL, found "ftp://example.com".',
    ],
    [{ type: 'item_listing', config: {} }, 'config.url is required.'],
  ])('the refusal of the source %j states what the API expects: %s', async (body, detail) => {
    const response = await used.tenant.api.post('/api/datasources').send({ ...body, datastoreId: used.datastore });
    expect(response.body).toMatchObject({ status: 400, detail });
  });

  it('POST /api/datasources returns 404 for a web source in an unknown datastore', async () => {
    const body = { type: 'web_page', name: 'a', config, datastoreId: UNKNOWN_ID };
    expect((await used.tenant.api.post('/api/datasources').send(body)).status).toBe(404);
  });
});
