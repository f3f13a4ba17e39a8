import type { RouteDescription } from '../http/declaration.js';
import { makeAgent, makeDatastore, makeSite, getStringField, uploadText } from './make.js';
import type { Api } from './start-test-gateway.js';

/** Maps the first path segment of each kind of resource, such as `agents`, to the id of one resource. */
export type ResourceIds = Readonly<Record<string, string>>;

/** Creates one resource of each kind through the API. */
export async function makeResources(api: Api): Promise<ResourceIds> {
  const datastores = await makeDatastore(api);
  const agents = await makeAgent(api, { datastoreIds: [datastores] });
  const answer = await api.post(`/api/agents/${agents}/query`).send({ query: 'What?' });
  const createResource = async (path: string, body: object): Promise<string> =>
    getStringField(await api.post(path).send(body), 'id');
  return {
    datastores,
    external: datastores,
    agents,
    conversations: getStringField(answer, 'conversationId'),
    datasources: await makeSite(api, datastores),
    file: await uploadText(api, datastores),
    'api-keys': await createResource('/api/api-keys', { name: 'key', scopes: ['query'] }),
    webhooks: await createResource('/api/webhooks', { url: 'https://example.org/hook' }),
    evaluations: await createResource('/api/evaluations', buildEvaluation(datastores)),
    organizations: await createResource('/api/organizations', { name: 'tenant' }),
  };
}

function buildEvaluation(datastoreId: string): object {
  return { datastoreId, dataset: { questions: [{ question: 'What?' }] } };
}

/** Maps operation ids to functions that build a valid JSON body. */
const BODIES: Readonly<Record<string, (ids: ResourceIds) => object>> = {
  upsertDocuments: () => ({ documents: [{ text: 'A text.', name: 'one' }] }),
  createDatasource: ({ datastores }) => ({
    ...{ datastoreId: datastores, type: 'web_page', name: 'page', config: { source_url: 'https://example.com/a' } },
  }),
  createDatastore: () => ({ name: 'manuals' }),
  updateDatastore: () => ({ name: 'other' }),
  updateDatasource: () => ({ name: 'other' }),
  createAgent: () => ({ name: 'helper', datastoreIds: [] }),
  updateAgent: () => ({ name: 'other' }),
  createApiKey: () => ({ name: 'key', scopes: ['query'] }),
  updateApiKey: () => ({ name: 'other' }),
  createWebhook: () => ({ url: 'https://example.org/hook' }),
  updateWebhook: () => ({ enabled: false }),
  createEvaluation: ({ datastores = '' }) => buildEvaluation(datastores),
  createOrganization: () => ({ name: 'tenant' }),
  updateOrganization: () => ({ name: 'other' }),
  queryAgent: () => ({ query: 'What?' }),
  queryDatastore: () => ({ query: 'What?' }),
};

/** Maps operation ids to functions that build the required parameters of the query string. */
const QUERIES: Readonly<Record<string, (ids: ResourceIds) => Record<string, string>>> = {
  compareEvaluations: ({ evaluations = '' }) => ({ with: evaluations }),
};

/** Sends a valid request for an operation. @returns the status and body of the response */
export async function sendValid(
  api: Api,
  { id, method, path }: RouteDescription,
  ids: ResourceIds,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [, kind = ''] = path.split('/');
  const request = api[method](`/api${path.replaceAll(/\{\w+\}/g, ids[kind] ?? '')}`).query(QUERIES[id]?.(ids) ?? {});
  const body = BODIES[id];
  if (id === 'uploadFile') return request.attach('file', Buffer.from('A text.'), 'new.txt');
  return body === undefined ? request : request.send(body(ids));
}

/** Sends a file to `POST /datasources`. @returns the status and body of the response */
export async function sendFile(
  api: Api,
  { datastores = '' }: ResourceIds,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const form = api.post('/api/datasources').field('type', 'file').field('datastoreId', datastores);
  return form.attach('file', Buffer.from('A text.'), 'sent.txt');
}
