import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import type { Response } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { getStringField, createSite, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const TEXT = '0123456789';

async function getOriginal(id: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await used.tenant.api.get(`/api/datasources/${id}/original`).set(headers).buffer();
  expectDocumented(response, 'get', '/datasources/{id}/original');
  return response;
}

/** Yields half of a file of 200,000 bytes, then fails as a damaged disk does. */
async function* readUntilFailure(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.alloc(100_000, 'x'));
  throw new Error('EIO: i/o error, read');
}

describe('GET /api/datasources/{id}/original', () => {
  it('GET /api/datasources/{id}/original returns the uploaded bytes with headers that keep browsers from interpreting the bytes', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT, 'Grüße "1".md');
    const response = await getOriginal(id);
    expect([response.status, response.text]).toEqual([200, TEXT]);
    expect(response.headers).toMatchObject({
      'content-type': 'text/markdown',
      'content-length': '10',
      'content-disposition': `attachment; filename="Gr__e _1_.md"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.md`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
    });
  });

  it('GET /api/datasources/{id}/original returns the bytes of a file of 3 MB unchanged', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => `line ${String(at % 100_000)}\n`).join(''));
    const upload = used.tenant.api.post(`/api/external/datastores/file-upload/${used.datastore}`);
    const id = getStringField(await upload.attach('file', content, 'large.txt'), 'id');
    expect((await getOriginal(id)).text).toBe(content.toString());
  });

  it('GET /api/datasources/{id}/original sends a file whose stored type is unsupported with the type application/octet-stream', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    await used.test.gateway.db.update(datasources).set({ mimeType: 'text/html' }).where(eq(datasources.id, id));
    const response = await used.tenant.api.get(`/api/datasources/${id}/original`);
    expect(response.headers['content-type']).toBe('application/octet-stream');
    expect(String(response.body)).toBe(TEXT);
  });

  it('GET /api/datasources/{id}/original returns an upserted text as UTF-8', async () => {
    const documents = [{ name: 'hours', text: 'Geöffnet ab 9 Uhr <b>' }];
    const upserted = await used.tenant.api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents });
    const [id = ''] = (upserted.body as { ids: string[] }).ids;
    const response = await getOriginal(id, { Range: 'bytes=0-1' });
    expect([response.status, response.text]).toEqual([200, 'Geöffnet ab 9 Uhr <b>']);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('filename="hours.txt"');
  });

  it('GET /api/datasources/{id}/original returns a byte range, and refuses a range beyond the end of the file', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    const { headers } = await getOriginal(id);
    const part = await getOriginal(id, { Range: 'bytes=2-4', 'If-Range': String(headers['etag']) });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    const changed = await getOriginal(id, { Range: 'bytes=2-4', 'If-Range': '"other"' });
    expect([changed.status, changed.text]).toEqual([200, TEXT]);
    const beyond = await getOriginal(id, { Range: 'bytes=10-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
    expect(beyond.body).toMatchObject({ code: 'range_not_satisfiable' });
  });

  it('GET /api/datasources/{id}/original returns 304 to a client that has the current bytes, until the file is replaced', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    const etag = String((await getOriginal(id)).headers['etag']);
    const again = await getOriginal(id, { 'If-None-Match': `W/"x", ${etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(await uploadText(used.tenant.api, used.datastore, 'new text')).toBe(id);
    const replaced = await getOriginal(id, { 'If-None-Match': etag });
    expect([replaced.status, replaced.text]).toEqual([200, 'new text']);
  });

  it('GET /api/datasources/{id}/original sends only the headers for a HEAD request', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    const response = await used.tenant.api.head(`/api/datasources/${id}/original`);
    expect([response.status, response.headers['content-length']]).toEqual([200, '10']);
  });

  it.each(['bytes=0-0', 'bytes=999-'])('a HEAD request ignores the range %s', async (range) => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    const response = await used.tenant.api.head(`/api/datasources/${id}/original`).set('Range', range);
    expect([response.status, response.headers['content-length']]).toEqual([200, '10']);
  });

  it('GET /api/datasources/{id}/original returns 404 with the reason if no bytes are stored', async () => {
    const site = await getOriginal(await createSite(used.tenant.api, used.datastore));
    expect([site.status, site.body]).toMatchObject([404, { code: 'no_original' }]);
    expect(getStringField(site, 'detail')).toContain('web_site');
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    const isThis = eq(datasources.id, id);
    const [row] = await used.test.gateway.db.select().from(datasources).where(isThis);
    await used.test.gateway.blobs.remove(row?.blobKey ?? '');
    expect((await getOriginal(id)).body).toMatchObject({ code: 'no_original' });
  });

  it('GET /api/datasources/{id}/original logs the error if the stored bytes cannot be read completely', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, 'x'.repeat(200_000));
    const { blobs } = used.test;
    const original = { ...blobs };
    onTestFinished(() => void Object.assign(blobs, original));
    blobs.read = async () => Promise.resolve(Readable.from(readUntilFailure(), { objectMode: false }));
    const requestId = `download-${id}`;
    await expect(getOriginal(id, { 'X-Request-Id': requestId })).rejects.toThrow('aborted');
    await expectEventually(() => used.test.logged.filter((line) => line.includes(requestId)).join('')).toMatch(
      /"message":"EIO: i\/o error, read".*"msg":"the bytes of a response cannot be read/,
    );
  });

  it('GET /api/datasources/{id}/original refuses a key that has only the scope `query`', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, TEXT);
    const { key } = await used.tenant.addKey({ scopes: ['query'] });
    expect((await used.test.createApi(key).get(`/api/datasources/${id}/original`)).status).toBe(403);
  });
});
