import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { expectDocumented } from '../testing/expect-documented.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { createAgent, createDatastore, uploadText } from '../testing/create-resources.js';
import { METRICS_TOKEN, startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const RECTANGLES = [{ page: 3, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 }];
const FRAGMENT = {
  rectangles: RECTANGLES,
  fragmentId: 'f1',
  documentKey: 'd',
  customId: null,
  source: 'https://example.org',
  page: 3,
  text: 'Yes.',
  score: 0.9,
};

let test: TestGateway;
let tenant: Tenant;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.createTenant();
  test.query.refusal = undefined;
});

it('the responses of operations on datastores conform to the OpenAPI document', async () => {
  const { api } = tenant;
  const id = await createDatastore(api);
  const embedding = { model: 'm', dimensions: 8, distance: 'cosine' };
  expectDocumented(await api.post('/api/datastores').send({ name: 'a', embedding }), 'post', '/datastores');
  expectDocumented(await api.post('/api/datastores').send({ name: 7, more: 1 }), 'post', '/datastores');
  expectDocumented(await api.post('/api/datastores').type('form').send('name=a'), 'post', '/datastores');
  expectDocumented(await api.get('/api/datastores?limit=1'), 'get', '/datastores');
  expectDocumented(await api.get('/api/datastores?limit=none'), 'get', '/datastores');
  expectDocumented(await api.get(`/api/datastores/${id}`), 'get', '/datastores/{id}');
  expectDocumented(await api.get(`/api/datastores/%E0`), 'get', '/datastores/{id}');
  expectDocumented(await test.createApi().get(`/api/datastores/${id}`), 'get', '/datastores/{id}');
  expectDocumented(await api.patch(`/api/datastores/${id}`).send({ name: 'b' }), 'patch', '/datastores/{id}');
  expectDocumented(await api.delete(`/api/datastores/${id}`), 'delete', '/datastores/{id}');
  expectDocumented(await api.delete(`/api/datastores/${id}`), 'delete', '/datastores/{id}');
});

it('the responses of operations on agents conform to the OpenAPI document', async () => {
  const { api } = tenant;
  const made = { name: 'a', datastoreIds: [await createDatastore(api)], temperature: 0.5, modelName: 'gpt_4o' };
  expectDocumented(await api.post('/api/agents').send(made), 'post', '/agents');
  expectDocumented(await api.post('/api/agents').send({ ...made, datastoreIds: [UNKNOWN_ID] }), 'post', '/agents');
  expectDocumented(await api.get('/api/agents'), 'get', '/agents');
  const id = await createAgent(api);
  expectDocumented(await api.get(`/api/agents/${id}`), 'get', '/agents/{id}');
  expectDocumented(await api.patch(`/api/agents/${id}`).send({ topP: 0.1 }), 'patch', '/agents/{id}');
  const { key } = await tenant.addKey({ scopes: ['query'] });
  expectDocumented(await test.createApi(key).delete(`/api/agents/${id}`), 'delete', '/agents/{id}');
  expectDocumented(await api.delete(`/api/agents/${id}`), 'delete', '/agents/{id}');
});

it('the responses of operations on content and datasources conform to the OpenAPI document', async () => {
  const { api } = tenant;
  const id = await createDatastore(api);
  const path = '/external/datastores/file-upload/{datastoreId}';
  const postUpload = () => api.post(`/api/external/datastores/file-upload/${id}`);
  expectDocumented(await postUpload().attach('file', Buffer.from('text'), 'a.txt'), 'post', path);
  expectDocumented(await postUpload().attach('file', Buffer.from(''), 'b.txt'), 'post', path);
  expectDocumented(await postUpload().field('fileName', 'c.txt'), 'post', path);
  expectDocumented(await postUpload().attach('file', Buffer.from('x'), 'd.exe'), 'post', path);
  const buildForm = () => api.post('/api/datasources').field('type', 'file').field('datastoreId', id);
  expectDocumented(await buildForm().attach('file', Buffer.from('text'), 'e.txt'), 'post', '/datasources');
  expectDocumented(await api.post('/api/datasources').send({ type: 'web_page' }), 'post', '/datasources');
  const upsert = '/datastores/upsert/{datastoreId}';
  const documents = [{ text: 'a', name: 'one', metadata: { author: 'b' } }];
  expectDocumented(await api.post(`/api/datastores/upsert/${id}`).send({ documents }), 'post', upsert);
  expectDocumented(await api.post(`/api/datastores/upsert/${id}`).send({ documents: [{}] }), 'post', upsert);
  const datasource = await uploadText(api, id);
  expectDocumented(await api.get('/api/datasources?status=pending'), 'get', '/datasources');
  expectDocumented(await api.get(`/api/datasources/${datasource}`), 'get', '/datasources/{id}');
  expectDocumented(await api.post(`/api/datasources/${datasource}/sync`), 'post', '/datasources/{id}/sync');
  expectDocumented(await api.delete(`/api/datasources/${datasource}`), 'delete', '/datasources/{id}');
});

it('the responses of queries conform to the OpenAPI document', async () => {
  const { api } = tenant;
  const datastore = await createDatastore(api);
  const datasourceId = await uploadText(api, datastore);
  test.query.fragments = [{ ...FRAGMENT, datasourceId }];
  const search = await api.post(`/api/datastores/${datastore}/query`).send({ query: 'q' });
  expect(search.body).toHaveLength(1);
  expectDocumented(search, 'post', '/datastores/{id}/query');
  const agent = await createAgent(api, { datastoreIds: [datastore] });
  const askAgent = (body: object) => api.post(`/api/agents/${agent}/query`).send({ query: 'q', ...body });
  test.query.answer = () =>
    streamEvents([buildCompletedEvent('Yes.', { sources: [{ ...FRAGMENT, datasourceId, cited: true }] })]);
  const answer = await askAgent({});
  expect(answer.body).toMatchObject({ sources: [{ cited: true }] });
  expectDocumented(answer, 'post', '/agents/{id}/query');
  expectDocumented(await askAgent({ streaming: true }), 'post', '/agents/{id}/query');
  expectDocumented(await askAgent({ temperature: 2 }), 'post', '/agents/{id}/query');
  test.query.refusal = { status: 424, body: { code: 'model_not_configured', detail: 'No.' } };
  expectDocumented(await askAgent({}), 'post', '/agents/{id}/query');
});

it('the responses of the routes for health, metrics and the OpenAPI document conform to the OpenAPI document', async () => {
  expectDocumented(await test.createApi().get('/health/live'), 'get', '/health/live');
  expectDocumented(await test.createApi().get('/health/ready'), 'get', '/health/ready');
  expectDocumented(await test.createApi(METRICS_TOKEN).get('/health/ready'), 'get', '/health/ready');
  expectDocumented(await test.createApi('unknown').get('/health/ready'), 'get', '/health/ready');
  expectDocumented(await test.createApi().get('/metrics'), 'get', '/metrics');
  expectDocumented(await test.createApi(METRICS_TOKEN).get('/metrics'), 'get', '/metrics');
  expectDocumented(await test.createApi().get('/openapi.json'), 'get', '/openapi.json');
});

it('expectDocumented fails for an undocumented status, field or path', async () => {
  const answer = await tenant.api.get('/api/datastores');
  expect(() => {
    expectDocumented(answer, 'get', '/nowhere');
  }).toThrow('the OpenAPI document does not contain get /nowhere');
  expect(() => {
    expectDocumented(answer, 'post', '/datastores');
  }).toThrow(/documented statuses are 201, .*responded with 200/s);
  answer.body = { items: [], next_cursor: null, more: 1 };
  expect(() => {
    expectDocumented(answer, 'get', '/datastores');
  }).toThrow(/additional properties/);
});
