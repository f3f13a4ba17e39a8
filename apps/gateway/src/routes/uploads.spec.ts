import { once } from 'node:events';
import { connect } from 'node:net';
import { crawlQueue } from '@quarry/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { jobsOf, publishAll } from '../testing/jobs.js';
import { makeDatastore, textOf, uploadText } from '../testing/make.js';
import { startTestGateway, TEST_SETTINGS, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';
import { removeDiscardedBlobs } from '../uploads/remove-discarded-blobs.js';

const FILE_BYTES = 20_000;
const NOWHERE = '00000000-0000-7000-8000-00000000dead';

let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  const limits = { ...DEFAULT_LIMITS, fileBytes: FILE_BYTES };
  test = await startTestGateway({
    settings: { ...TEST_SETTINGS, limits },
  });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.tenant();
  datastore = await makeDatastore(tenant.api);
});

const upload = () => tenant.api.post('/api/datasources').field('type', 'file').field('datastoreId', datastore);
const uploadTo = (id = datastore) => tenant.api.post(`/api/external/datastores/file-upload/${id}`);

async function jobs(): Promise<readonly object[]> {
  return (await jobsOf(test, tenant.organizationId)).map(({ payload }) => payload);
}

function ownBlobs(): string[] {
  return [...test.blobs.keys].filter((key) => key.startsWith(tenant.organizationId));
}

async function reservations(): Promise<string[]> {
  const rows = await test.gateway.db.select().from(discardedBlobs);
  return rows.flatMap((row) => (row.organizationId === tenant.organizationId ? [row.key] : []));
}

describe('POST /api/datasources with a file', () => {
  it('makes a datasource in the specification’s shape, keeps the bytes, and writes its job', async () => {
    const response = await upload().attach('file', Buffer.from('# Hello'), 'hello.md');
    expect(response.status).toBe(201);
    const id = textOf(response, 'id');
    expect(response.body).toEqual({
      id,
      type: 'file',
      name: 'hello.md',
      status: 'pending',
      groupId: id,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
      createdAt: textOf(response, 'updatedAt'),
      lastSynch: null,
      config: { fileName: 'hello.md', mimeType: 'text/markdown', fileSize: 7 },
      datastoreId: datastore,
      schedule: null,
      nextSyncAt: null,
      customId: null,
      run: expect.objectContaining({ stage: null, progress: null, startedAt: null, endedAt: null }) as unknown,
      error: null,
      failureReasons: [],
    });
    const [blobKey = ''] = ownBlobs();
    expect(await test.blobs.readText(blobKey)).toBe('# Hello');
    expect(blobKey).toMatch(new RegExp(`^${tenant.organizationId}/${datastore}/${id}/[\\w-]+$`));
    expect(await jobs()).toMatchObject([
      {
        datastoreId: datastore,
        datasourceId: id,
        datasourceType: 'file',
        documentKey: 'hello.md',
        name: 'hello.md',
        mimeType: 'text/markdown',
        blobKey,
        splitting: { maxTokens: 512, overlapTokens: 64 },
      },
    ]);
    expect(await reservations()).toEqual([]);
  });

  it('takes the fields after the file as well as before it', async () => {
    const response = await tenant.api
      .post('/api/datasources')
      .attach('file', Buffer.from('a,b'), 'table.csv')
      .field('fileName', 'prices.csv')
      .field('custom_id', 'tenant-7')
      .field('datastoreId', datastore)
      .field('type', 'file');
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ name: 'prices.csv', customId: 'tenant-7', datastoreId: datastore });
    expect(await jobs()).toMatchObject([
      { documentKey: '["tenant-7","prices.csv"]', customId: 'tenant-7', mimeType: 'text/csv' },
    ]);
  });

  it('keeps names in any script, and nothing but the name', async () => {
    const response = await upload().attach('file', Buffer.from('x'), '../Ünïcode 東京.txt');
    expect(response.body).toMatchObject({ name: 'Ünïcode 東京.txt' });
    const renamed = await upload().field('fileName', 'a/b\\c\u0007.txt').attach('file', Buffer.from('x'), 'x.txt');
    expect(renamed.body).toMatchObject({ name: 'c.txt' });
  });

  it('takes a file whose type the client does not know by its name', async () => {
    const response = await upload().attach('file', Buffer.from('# x'), {
      filename: 'notes.md',
      contentType: 'application/octet-stream',
    });
    expect(response.body).toMatchObject({ config: { mimeType: 'text/markdown' } });
  });

  it.each([
    ['a text in place of the file', (r: Upload) => r.field('file', 'not a file'), 400, 'file_missing'],
    ['no file', (r: Upload) => r, 400, 'file_missing'],
    ['an empty file', (r: Upload) => r.attach('file', Buffer.alloc(0), 'a.txt'), 400, 'file_empty'],
    ['an empty PDF', (r: Upload) => r.attach('file', Buffer.alloc(0), 'a.pdf'), 400, 'file_empty'],
    ['an image', (r: Upload) => r.attach('file', Buffer.from('x'), 'a.png'), 415, 'unsupported_media_type'],
    [
      'a name that says nothing',
      (r: Upload) => r.attach('file', Buffer.from('x'), blob('a.bin')),
      415,
      'unsupported_media_type',
    ],
    ['an image called PDF', (r: Upload) => r.attach('file', PNG, 'a.pdf'), 415, 'unsupported_media_type'],
    ['a file in another field', (r: Upload) => r.attach('upload', Buffer.from('x'), 'a.txt'), 400, 'malformed_request'],
    [
      'two files',
      (r: Upload) => r.attach('file', Buffer.from('x'), 'a.txt').attach('file', Buffer.from('y'), 'b.txt'),
      400,
      'malformed_request',
    ],
    [
      'a file over the limit',
      (r: Upload) => r.attach('file', Buffer.alloc(FILE_BYTES + 1, 'x'), 'a.txt'),
      413,
      'file_too_large',
    ],
    [
      'a form over the limit',
      (r: Upload) => r.attach('file', Buffer.alloc(2_000_000, 'x'), 'a.txt'),
      413,
      'file_too_large',
    ],
    [
      'a custom id that is too long',
      (r: Upload) => r.field('custom_id', 'x'.repeat(256)).attach('file', Buffer.from('x'), 'a.txt'),
      400,
      'validation_failed',
    ],
    [
      'a custom id twice',
      (r: Upload) => r.field('custom_id', 'a').field('custom_id', 'b').attach('file', Buffer.from('x'), 'a.txt'),
      400,
      'validation_failed',
    ],
  ])('refuses %s, and keeps nothing of it', async (_what, send, status, code) => {
    const response = await send(upload());
    expect([response.status, textOf(response, 'code')]).toEqual([status, code]);
    expect(ownBlobs()).toEqual([]);
    expect(await reservations()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  it('names the limit and what was found', async () => {
    const response = await upload().attach('file', Buffer.alloc(FILE_BYTES + 1, 'x'), 'a.txt');
    expect(textOf(response, 'detail')).toMatch(/may have 20000 bytes, found a form of 20\d\d\d bytes/);
  });

  it.each([
    [{ datastoreId: NOWHERE, type: 'file' }, 404, 'not_found'],
    [{ datastoreId: 'no id', type: 'file' }, 404, 'not_found'],
    [{ type: 'file' }, 400, 'validation_failed'],
    [{ datastoreId: 'own' }, 400, 'validation_failed'],
    [{ datastoreId: 'own', type: 'web_page' }, 400, 'validation_failed'],
  ])('refuses the fields %j before and after the file, and keeps nothing of it', async (fields, status, code) => {
    for (const isFileFirst of [true, false]) {
      const form = tenant.api.post('/api/datasources');
      const attach = () => form.attach('file', Buffer.from('x'), 'a.txt');
      if (isFileFirst) void attach();
      for (const [name, value] of Object.entries(fields)) void form.field(name, value === 'own' ? datastore : value);
      if (!isFileFirst) void attach();
      const response = await form;
      expect([response.status, textOf(response, 'code')]).toEqual([status, code]);
      expect(ownBlobs()).toEqual([]);
      expect(await reservations()).toEqual([]);
    }
  });

  it.each([
    ['multipart/form-data', 'no boundary'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbroken off',
    ],
    ['multipart/form-data; boundary=x', 'nothing of the kind'],
  ])('refuses a form that cannot be read (%s)', async (type, body) => {
    const response = await tenant.api.post('/api/datasources').set('Content-Type', type).send(body);
    expect([response.status, textOf(response, 'code')]).toEqual([400, 'malformed_request']);
    expect(ownBlobs()).toEqual([]);
  });

  it('keeps nothing when the client leaves on the way', async () => {
    const { hostname, port } = new URL(test.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST /api/external/datastores/file-upload/${datastore} HTTP/1.1`,
      'Host: quarry',
      `Authorization: Bearer ${tenant.key}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 10000',
      '',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nthe first half',
    ];
    socket.write(head.join('\r\n'));
    await eventually(reservations).toHaveLength(1);
    socket.destroy();
    await once(socket, 'close');
    await eventually(reservations).toEqual([]);
    expect(ownBlobs()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  it('answers 503 when the bytes cannot be stored', async () => {
    test.blobs.failure = new Error('disk full at /secret/path');
    const response = await upload().attach('file', Buffer.from('x'), 'a.txt');
    test.blobs.failure = undefined;
    expect([response.status, textOf(response, 'code')]).toEqual([503, 'dependency_unavailable']);
    expect(response.text).not.toContain('secret');
    expect(await reservations()).toEqual([]);
  });
});

describe('POST /api/datasources with JSON', () => {
  const config = { source_url: 'https://example.com/page' };

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
  ])('takes %j and has it crawled', async (body, job) => {
    const response = await tenant.api.post('/api/datasources').send({ ...body, datastoreId: datastore, extra: 1 });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ type: body.type, name: body.name, status: 'pending', config: body.config });
    await publishAll(test);
    const { id, run } = response.body as { id: string; run: { id: string } }; // checked above
    expect(test.queues.added(crawlQueue)).toContainEqual(
      expect.objectContaining({
        ...job,
        payload: expect.objectContaining({ ...job.payload, datasourceId: id, runId: run.id }) as unknown,
      }),
    );
  });

  it('takes the same page again as the same datasource, with another run', async () => {
    const body = { type: 'web_page', name: 'Page', config: { source_url: 'https://example.com/same' } };
    const ask = () => tenant.api.post('/api/datasources').send({ ...body, datastoreId: datastore });
    const first = (await ask()).body as { id: string; run: { id: string } };
    const second = (await ask()).body as { id: string; run: { id: string } };
    expect(second.id).toBe(first.id);
    expect(second.run.id).not.toBe(first.run.id);
  });

  it.each([
    [{}, 'type'],
    [{ type: 'rss' }, 'type'],
    [{ type: 'file' }, 'type'],
    [{ type: 'web_page', name: 'a', config: {} }, 'config.source_url'],
    [{ type: 'web_page', name: 'a' }, 'config'],
    [{ type: 'web_page', config }, 'name'],
    [{ type: 'web_page', name: 'a', config: { source_url: 'ftp://example.com' } }, 'config.source_url'],
    [{ type: 'web_site', name: 'a', config: {} }, 'config.sitemap'],
    [{ type: 'web_site', name: 'a', config: { source_url: 'nonsense' } }, 'config.source_url'],
    [{ type: 'item_listing', name: 'a', config: { url: 'nonsense' } }, 'config.url'],
    [{ type: 'web_page', name: 'a', config: { source_url: 'http://10.0.0.1/' } }, 'config.source_url'],
    [{ type: 'web_site', name: 'a', config: { sitemap: 'http://localhost/sitemap.xml' } }, 'config.sitemap'],
  ])('refuses %j, naming %s', async (body, path) => {
    const response = await tenant.api.post('/api/datasources').send({ ...body, datastoreId: datastore });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('knows no datastore of others', async () => {
    const body = { type: 'web_page', name: 'a', config, datastoreId: NOWHERE };
    expect((await tenant.api.post('/api/datasources').send(body)).status).toBe(404);
  });
});

describe('POST /api/external/datastores/file-upload/{datastoreId}', () => {
  it('makes a datasource as the other route does', async () => {
    const response = await uploadTo().field('custom_id', 'c1').attach('file', Buffer.from('x'), 'a.txt');
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ type: 'file', customId: 'c1', datastoreId: datastore, status: 'pending' });
  });

  it('refuses what is no form, and a datastore that is not there', async () => {
    const json = await uploadTo().send({ file: 'x' });
    expect([json.status, textOf(json, 'code')]).toEqual([415, 'unsupported_media_type']);
    expect((await uploadTo(NOWHERE).attach('file', Buffer.from('x'), 'a.txt')).status).toBe(404);
    expect(ownBlobs()).toEqual([]);
  });
});

describe('the same document again', () => {
  it('is the same datasource with a new run, whose old bytes go when it settles', async () => {
    const first = await uploadTo().attach('file', Buffer.from('old'), 'a.txt');
    const second = await uploadTo().attach('file', Buffer.from('new'), 'a.txt');
    expect(second.status).toBe(201);
    expect(textOf(second, 'id')).toBe(textOf(first, 'id'));
    expect(ownBlobs()).toHaveLength(2);
    expect(await reservations()).toHaveLength(1);
    // The first run may still be reading them.
    await removeDiscardedBlobs(test.gateway, new Date(Date.now() + 3_600_000));
    expect(ownBlobs()).toHaveLength(2);
    const all = (await jobs()) as { runId: string; generation: number; blobKey: string }[];
    expect(all).toHaveLength(2);
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(2);
    expect(all[1]?.generation).toBeGreaterThan(all[0]?.generation ?? Infinity);
    expect(await test.blobs.readText(all[1]?.blobKey ?? '')).toBe('new');
  });

  it('is told by its custom id and its name together', async () => {
    const send = (name: string, customId: string) =>
      uploadTo().field('custom_id', customId).attach('file', Buffer.from('x'), name);
    const one = textOf(await send('a.txt', 'c1'), 'id');
    expect(textOf(await send('a.txt', 'c1'), 'id')).toBe(one);
    expect(textOf(await send('other.txt', 'c1'), 'id')).not.toBe(one);
    expect(textOf(await send('a.txt', 'c2'), 'id')).not.toBe(one);
    expect(await uploadText(tenant.api, datastore, 'x', 'a.txt')).not.toBe(one);
  });

  it('is another one in another datastore', async () => {
    const other = await makeDatastore(tenant.api);
    expect(await uploadText(tenant.api, other)).not.toBe(await uploadText(tenant.api, datastore));
  });

  it('is one datasource though it is sent many times at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => uploadText(tenant.api, datastore, 'x', 'a.txt')),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await tenant.api.get('/api/datasources')).body).toMatchObject({ items: [{ status: 'pending' }] });
    const all = (await jobs()) as { runId: string; generation: number }[];
    expect(all).toHaveLength(8);
    expect(await reservations()).toHaveLength(7);
    const { body } = (await tenant.api.get(`/api/datasources/${String(ids[0])}`)) as { body: { run: { id: string } } };
    const newest = all.toSorted((a, b) => b.generation - a.generation)[0];
    expect(body.run.id).toBe(newest?.runId);
  });
});

type Upload = ReturnType<typeof upload>;
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

function blob(filename: string): { filename: string; contentType: string } {
  return { filename, contentType: 'application/octet-stream' };
}
