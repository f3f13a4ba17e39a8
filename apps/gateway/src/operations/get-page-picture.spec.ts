import { pagePictureQueue, type PagePictureFailureCode, type RenderPage } from '@quarry/contracts';
import { inArray } from 'drizzle-orm';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { PAGE_RENDER_LIMITS } from '../page-pictures/page-renders.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { createDatastore, createSite, uploadText } from '../testing/create-resources.js';
import { locatePagePicture, storePictureFailure, storePicture, uploadPdf } from '../testing/page-pictures.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

async function getPage(id: string, page = '1', headers: Record<string, string> = {}): Promise<Response> {
  const response = await used.tenant.api.get(`/api/datasources/${id}/pages/${page}`).set(headers).buffer();
  expectDocumented(response, 'get', '/datasources/{id}/pages/{page}');
  return response;
}

const uploadManual = async (): Promise<string> => uploadPdf(used.tenant.api, used.datastore);
const listJobs = (): readonly RenderPage[] =>
  used.test.queues
    .listAddedJobs(pagePictureQueue)
    .map(({ payload }) => payload)
    .filter(({ organizationId }) => organizationId === used.tenant.organizationId);

async function storeFailureCode(id: string, code: PagePictureFailureCode, failedAt = new Date()): Promise<void> {
  const failure = { code, message: 'Why it failed.', failedAt: failedAt.toISOString() };
  await storePictureFailure(used.test, await locatePagePicture(used.test, id), failure);
}

describe('GET /api/datasources/{id}/pages/{page}', () => {
  it('GET /api/datasources/{id}/pages/{page} waits until a worker has stored the picture of the page, and schedules the later removal of the picture', async () => {
    const id = await uploadManual();
    const location = await locatePagePicture(used.test, id, 2, 800);
    const requested = getPage(id, '2?width=500');
    await expect.poll(listJobs).toMatchObject([{ page: 2, width: 800, pictureKey: location.pictureKey }]);
    await storePicture(used.test, location, 'page 2');
    const response = await requested;
    expect([response.status, String(response.body)]).toEqual([200, 'page 2']);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'private, no-cache',
    });
    const keys = [location.pictureKey, location.failureKey];
    const rows = await used.test.gateway.db.select().from(discardedBlobs).where(inArray(discardedBlobs.key, keys));
    expect(rows.map(({ removeAfter }) => removeAfter)).toEqual([location.removeAfter, location.removeAfter]);
    expect(location.removeAfter.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
  });

  it('GET /api/datasources/{id}/pages/{page} returns a stored picture without adding a job, and returns 304 to a client that already has the picture', async () => {
    const id = await uploadManual();
    await storePicture(used.test, await locatePagePicture(used.test, id));
    const { headers, status } = await getPage(id);
    const again = await getPage(id, '1', { 'If-None-Match': String(headers['etag']) });
    expect([status, again.status]).toEqual([200, 304]);
    expect((await getPage(id, '1?width=1200')).headers['etag']).toBe(headers['etag']);
    expect(listJobs()).toEqual([]);
  });

  it('GET /api/datasources/{id}/pages/{page} adds one job for several requests for the same page', async () => {
    const id = await uploadManual();
    const requested = [getPage(id), getPage(id), getPage(id)];
    await expect.poll(listJobs).toHaveLength(1);
    await storePicture(used.test, await locatePagePicture(used.test, id));
    expect((await Promise.all(requested)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(listJobs()).toHaveLength(1);
  });

  it('GET /api/datasources/{id}/pages/{page} returns 429 if the maximum number of pages is already being rendered for the organization', async () => {
    const id = await uploadManual();
    const pages = Array.from({ length: PAGE_RENDER_LIMITS.perOrganization }, (_, at) => at + 1);
    const requested = pages.map((page) => getPage(id, String(page)));
    await expect.poll(listJobs).toHaveLength(pages.length);
    const refused = await getPage(id, '100');
    expect([refused.status, refused.body, refused.headers['retry-after']]).toMatchObject([
      429,
      { code: 'too_many_page_renders' },
      '2',
    ]);
    const other = await used.test.createTenant();
    const foreign = await uploadPdf(other.api, await createDatastore(other.api));
    const foreignPage = other.api.get(`/api/datasources/${foreign}/pages/1`).then(({ status }) => status);
    await storePicture(used.test, await locatePagePicture(used.test, foreign));
    expect(await foreignPage).toBe(200);
    for (const page of pages) await storePicture(used.test, await locatePagePicture(used.test, id, page));
    expect((await Promise.all(requested)).map(({ status }) => status)).toEqual(pages.map(() => 200));
  });

  it.each([
    ['page_not_found', 404, 'page_not_found'],
    ['content_missing', 404, 'no_page_pictures'],
    ['file_encrypted', 422, 'page_unreadable'],
    ['reading_timed_out', 422, 'page_unreadable'],
    ['internal_error', 503, 'page_not_rendered'],
  ] as const)(
    'GET /api/datasources/{id}/pages/{page} returns a problem if a worker could not render the page and stored the reason %s',
    async (stored, status, code) => {
      const id = await uploadManual();
      const requested = getPage(id);
      await expect.poll(listJobs).toHaveLength(1);
      await storeFailureCode(id, stored);
      expect([(await requested).status, (await requested).body]).toMatchObject([
        status,
        { code, detail: 'Why it failed.' },
      ]);
      expect((await getPage(id)).status).toBe(status);
      expect(listJobs()).toHaveLength(1);
    },
  );

  it('GET /api/datasources/{id}/pages/{page} renders a page again if its rendering failed more than a minute ago', async () => {
    const id = await uploadManual();
    await storeFailureCode(id, 'reading_timed_out', new Date(Date.now() - 61_000));
    const requested = getPage(id);
    await expect.poll(listJobs).toHaveLength(1);
    await storePicture(used.test, await locatePagePicture(used.test, id));
    expect((await requested).status).toBe(200);
  });

  it('GET /api/datasources/{id}/pages/{page} returns another picture after the file was replaced', async () => {
    const id = await uploadManual();
    const before = await locatePagePicture(used.test, id);
    await storePicture(used.test, before);
    const upload = used.tenant.api.post(`/api/external/datastores/file-upload/${used.datastore}`);
    await upload.attach('file', Buffer.from('%PDF-1.7 new'), 'manual.pdf');
    const after = await locatePagePicture(used.test, id);
    expect(after.etag).not.toBe(before.etag);
    await storePicture(used.test, after, 'new');
    expect(String((await getPage(id)).body)).toBe('new');
  });

  it.each(['0', '-1', '1.5', 'one', '1000000'])(
    'GET /api/datasources/{id}/pages/{page} returns 404 for the page number %s',
    async (page) => {
      expect((await getPage(await uploadManual(), page)).body).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  it.each(['0', '2401', 'wide'])('GET /api/datasources/{id}/pages/{page} refuses the width %s', async (width) => {
    expect((await getPage(await uploadManual(), `1?width=${width}`)).body).toMatchObject({ code: 'validation_failed' });
  });

  it('GET /api/datasources/{id}/pages/{page} returns 404 with the reason for a datasource without pages', async () => {
    for (const id of [
      await uploadText(used.tenant.api, used.datastore),
      await createSite(used.tenant.api, used.datastore),
    ]) {
      expect((await getPage(id)).body).toMatchObject({ status: 404, code: 'no_page_pictures' });
    }
    expect(listJobs()).toEqual([]);
  });

  it('GET /api/datasources/{id}/pages/{page} refuses a key that has only the scope `query`', async () => {
    const { key } = await used.tenant.addKey({ scopes: ['query'] });
    expect((await used.test.createApi(key).get(`/api/datasources/${await uploadManual()}/pages/1`)).status).toBe(403);
  });
});
