import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import type { Response } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPERATIONS } from '../../operations/operations.js';
import { publishAndListIngestionJobs } from '../../testing/jobs.js';
import { getStringField, createDatastore } from '../../testing/create-resources.js';
import { OLDER_PATH_CALLS } from '../../testing/older-path-calls.js';
import type { Api } from '../../testing/start-test-gateway.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { OLDER_PATHS, createOlderPathRewriter } from './older-paths.js';

const used = setUpTenant();
const getApi = (): Api => used.test.createUndocumentedApi(used.tenant.key);
const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

const PATHS = OLDER_PATHS.flatMap(({ path, operationId }) =>
  ['', '/api'].map((prefix) => [`${prefix}${path}`, operationId] as const),
);

const fillInIds = (path: string, ids: { readonly agent: string; readonly datastore: string }): string =>
  path.replace(/\{\w+\}/, path.includes('/agents/') ? ids.agent : ids.datastore);

describe('an older path', () => {
  it.each(PATHS)('the older path %s is handled by the operation %s', async (path, operationId) => {
    const response = await OLDER_PATH_CALLS[operationId]?.(getApi(), fillInIds(path, used));
    expect(response?.status, response?.text).toBe(operationId === 'uploadFile' ? 201 : 200);
  });

  it.each(PATHS.filter(([path]) => path.includes('{')))(
    'the older path %s returns 404 for an unknown id',
    async (path, operationId) => {
      const ids = { agent: UNKNOWN_ID, datastore: UNKNOWN_ID };
      const response = await OLDER_PATH_CALLS[operationId]?.(getApi(), fillInIds(path, ids));
      expect(response?.body).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  it.each(PATHS)(
    'the older path %s refuses the method PUT with 405 and the same header Allow as the operation %s',
    async (path, operationId) => {
      const current = OPERATIONS.find(({ id }) => id === operationId)?.path ?? '';
      const older = await getApi().put(fillInIds(path, used));
      const expected = await getApi().put(fillInIds(`/api${current}`, used));
      expect([older.status, older.headers['allow']]).toEqual([405, expected.headers['allow']]);
    },
  );

  it('a request to an older path without an API key is refused with 401', async () => {
    for (const [path] of PATHS)
      expect((await used.test.createUndocumentedApi().post(fillInIds(path, used))).status).toBe(401);
  });

  it('the gateway also rewrites an older path in upper case or with a slash at its end, and keeps the query string', async () => {
    await createDatastore(used.tenant.api);
    const listed = await getApi().get('/external/DATASTORES/?limit=1');
    expect((listed.body as { items: unknown[] }).items).toHaveLength(1);
  });

  it('a request that is repeated at an older path with the same Idempotency-Key gets the response to the request at the current path', async () => {
    const upsertDocument = async (path: string): Promise<Response> =>
      getApi()
        .post(path)
        .set('Idempotency-Key', 'k1')
        .send({ documents: [{ text: 'a' }] });
    const first = await upsertDocument(`/api/datastores/upsert/${used.datastore}`);
    const second = await upsertDocument(`/datastores/upsert/${used.datastore}`);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });

  it('the header Location of a response at an older path contains an address below /api', async () => {
    const path = `/datastores/file-upload/${used.datastore}`;
    const created = await getApi().post(path).attach('file', Buffer.from('x'), 'a.txt');
    expect(created.headers['location']).toBe(`/api/datasources/${getStringField(created, 'id')}`);
  });

  it('a browser that opens an older path receives the console', async () => {
    const page = await used.test
      .createUndocumentedApi()
      .get(`/agents/query/${used.agent}`)
      .set('Accept', 'text/html,*/*;q=0.8');
    expect(page.type).toBe('text/html');
  });

  it('a POST request to an older path reaches the API, although its header Accept contains text/html', async () => {
    const path = `/datastores/file-upload/${used.datastore}`;
    const accept = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
    const created = await getApi().post(path).set('Accept', accept).attach('file', Buffer.from('x'), 'html.txt');
    expect(created.status).toBe(201);
  });

  it('the gateway rewrites an older path in a request in absolute form, as a proxy can send it', async () => {
    const app = express().use(createOlderPathRewriter(OPERATIONS), ({ url }, response) => void response.send(url));
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
    const absolute = request({
      host: '127.0.0.1',
      port,
      path: 'http://quarry.example/external/datastores?limit=1',
    }).end();
    const [response] = (await once(absolute, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('/api/datastores?limit=1');
  });

  it('createOlderPathRewriter throws if the operation of an older path is missing or has other path parameters', () => {
    expect(() => createOlderPathRewriter([])).toThrow(
      'expected the operation queryAgent for the older path /agents/{id}/query, found none',
    );
    const renamed = OPERATIONS.map(({ id, path }) => ({ id, path: path.replace('{id}', '{key}') }));
    expect(() => createOlderPathRewriter(renamed)).toThrow(
      'to have the parameters of the current path /agents/{key}/query',
    );
  });
});

describe('POST /datastores/update/{datastoreId}', () => {
  it('POST /datastores/update/{datastoreId} replaces the text of the datasource with the given id, and keeps the name and metadata', async () => {
    const metadata = { source: 'https://example.org/a', custom_id: 'c1' };
    const document = { text: 'old', name: 'one', metadata };
    const upserted = await getApi()
      .post(`/api/datastores/upsert/${used.datastore}`)
      .send({ documents: [document] });
    const [id = ''] = (upserted.body as { ids: string[] }).ids;
    const updated = await getApi().post(`/datastores/update/${used.datastore}`).send({ id, text: 'new' });
    expect([updated.status, updated.body]).toEqual([200, { id }]);
    const shown = await getApi().get(`/api/datasources/${id}`);
    expect(shown.body).toMatchObject({ id, name: 'one', customId: 'c1', config: { metadata } });
    const original = await getApi().get(`/api/datasources/${id}/original`);
    expect(original.text).toBe('new');
    const listed = await getApi().get(`/api/datasources?datastoreId=${used.datastore}`);
    expect((listed.body as { items: unknown[] }).items).toHaveLength(1);
    const jobs = await publishAndListIngestionJobs(used.test, used.tenant.organizationId);
    expect(jobs.at(-1)?.payload).toMatchObject({ datasourceId: id, name: 'one', customId: 'c1' });
  });

  it('POST /datastores/update/{datastoreId} creates a new datasource if the given id belongs to a datasource of another datastore', async () => {
    const other = await createDatastore(used.tenant.api);
    const upserted = await getApi()
      .post(`/api/datastores/upsert/${other}`)
      .send({ documents: [{ text: 'old' }] });
    const [id = ''] = (upserted.body as { ids: string[] }).ids;
    const updated = await getApi().post(`/datastores/update/${used.datastore}`).send({ id, text: 'new' });
    expect(getStringField(updated, 'id')).not.toBe(id);
    expect((await getApi().get(`/api/datasources/${id}/original`)).text).toBe('old');
  });

  it('POST /datastores/update/{datastoreId} refuses a document without a text, and names the field', async () => {
    const refused = await getApi().post(`/datastores/update/${used.datastore}`).send({ id: 'a' });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'documents.0.text', message: 'is required' }] });
  });
});

it('an upsert with the ids of datasources replaces the texts of these datasources, and is refused if two documents have the same id', async () => {
  const upsertDocument = async (documents: readonly object[]): Promise<Response> =>
    getApi().post(`/api/datastores/upsert/${used.datastore}`).send({ documents });
  const [id = ''] = ((await upsertDocument([{ text: 'a', name: 'one' }])).body as { ids: string[] }).ids;
  expect((await upsertDocument([{ id: id.toUpperCase(), text: 'b' }])).body).toEqual({ ids: [id] });
  const twice = await upsertDocument([
    { id, text: 'c' },
    { id: id.toUpperCase(), text: 'd' },
  ]);
  expect(twice.body).toMatchObject({ status: 400, errors: [{ path: 'documents.1' }] });
});
