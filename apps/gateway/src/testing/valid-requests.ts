import type { RouteDescription } from '../http/declaration.js';
import { createAgent, createDatastore, createSite, getStringField, uploadText } from './create-resources.js';
import { uploadPdf } from './page-pictures.js';
import type { Api } from './start-test-gateway.js';

/**
 * Maps kinds of resources to the id of one resource each. The kind is the first segment of its path, such as `agents`,
 * or another name, such as `pdf`.
 */
export type ResourceIds = Readonly<Record<string, string>>;

/** Creates one resource of each kind through the API. */
export async function createResources(api: Api): Promise<ResourceIds> {
  const datastores = await createDatastore(api);
  const agents = await createAgent(api, { datastoreIds: [datastores] });
  const question = { query: 'What?', streaming: true, resumable: true };
  const answer = await api.post(`/api/agents/${agents}/query`).send(question);
  const createResource = async (path: string, body: object): Promise<string> =>
    getStringField(await api.post(path).send(body), 'id');
  const webhooks = await createResource('/api/webhooks', { url: 'https://example.org/hook' });
  const delivery = await deliverEvent(api, webhooks, datastores);
  return {
    datastores,
    external: datastores,
    agents,
    conversations: String(answer.headers['quarry-conversation-id']),
    messages: String(answer.headers['quarry-message-id']),
    datasources: await createSite(api, datastores),
    file: await uploadText(api, datastores),
    pdf: await uploadPdf(api, datastores),
    'api-keys': await createResource('/api/api-keys', { name: 'key', scopes: ['query'] }),
    ...{ webhooks, delivery },
    evaluations: await createResource('/api/evaluations', buildEvaluation(datastores)),
    organizations: await createResource('/api/organizations', { name: 'tenant' }),
    'model-connections': 'openai',
  };
}

/** Starts and cancels a run, whose end creates an event for a webhook. @returns the id of the delivery */
async function deliverEvent(api: Api, webhook: string, datastore: string): Promise<string> {
  const site = await createSite(api, datastore);
  await api.post(`/api/datasources/${site}/cancel`);
  const listed = await api.get(`/api/webhooks/${webhook}/deliveries`);
  const { items } = listed.body as { readonly items: readonly { readonly id: string }[] }; // as documented
  return items[0]?.id ?? '';
}

function buildEvaluation(datastoreId: string): object {
  return { datastoreId, dataset: { questions: [{ question: 'What?' }] } };
}

/** Maps operation ids to functions that build a valid JSON body of the request. */
const BODIES: Readonly<Record<string, (ids: ResourceIds) => object>> = {
  upsertDocuments: () => ({ documents: [{ text: 'A text.', name: 'one' }] }),
  createDatasource: ({ datastores }) => ({
    ...{ datastoreId: datastores, type: 'web_page', name: 'page', config: { source_url: 'https://example.com/a' } },
  }),
  dryRunDatasource: ({ datastores }) => ({
    ...{ datastoreId: datastores, type: 'item_listing', config: { url: 'https://shop.example.com/items' } },
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
  resendWebhookDeliveries: () => ({ since: '2026-01-01T00:00:00Z' }),
  createEvaluation: ({ datastores = '' }) => buildEvaluation(datastores),
  createOrganization: () => ({ name: 'tenant' }),
  updateOrganization: () => ({ name: 'other' }),
  queryAgent: () => ({ query: 'What?' }),
  queryDatastore: () => ({ query: 'What?' }),
  previewPrompt: () => ({ query: 'What?' }),
  setFeedback: () => ({ rating: 'up' }),
  setModelConnection: () => ({ apiKey: 'sk-of-a-provider' }),
  testModelConnection: () => ({ apiKey: 'sk-of-a-provider' }),
};

/** Maps operation ids to functions that build the required parameters of the query string. */
const QUERIES: Readonly<Record<string, (ids: ResourceIds) => Record<string, string>>> = {
  compareEvaluations: ({ evaluations = '' }) => ({ with: evaluations }),
};

/**
 * Ids of the operations that read the content of a datasource. They need a file, because a new web site has no content.
 */
const READS_FILE: ReadonlySet<string> = new Set(['listFragments', 'getOriginal']);

/**
 * Returns the id of the resource to which a request refers.
 *
 * @param id the id of the operation
 * @param kind the first segment of the path of the operation
 */
function getTargetId(id: string, kind: string, ids: ResourceIds): string {
  if (id === 'getPagePicture') return ids['pdf'] ?? '';
  return (READS_FILE.has(id) ? ids['file'] : ids[kind]) ?? '';
}

/** Sends a valid request for an operation. @returns the status and body of the response */
export async function sendValidRequest(
  api: Api,
  { id, method, path }: RouteDescription,
  ids: ResourceIds,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [, kind = ''] = path.split('/');
  const target = getTargetId(id, kind, ids);
  const subIds: Readonly<Record<string, string | undefined>> = {
    messageId: ids['messages'],
    deliveryId: ids['delivery'],
    page: '1',
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => subIds[name] ?? target);
  // The response of an event stream does not end, so only its headers are read.
  const isStream = id.startsWith('watch');
  const request = api[isStream ? 'head' : method](`/api${filled}`).query(QUERIES[id]?.(ids) ?? {});
  const body = BODIES[id];
  if (id === 'uploadFile') return request.attach('file', Buffer.from('A text.'), 'new.txt');
  return body === undefined ? request : request.send(body(ids));
}

/** Sends a file to `POST /datasources`. @returns the status and body of the response */
export async function sendFileForm(
  api: Api,
  { datastores = '' }: ResourceIds,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const form = api.post('/api/datasources').field('type', 'file').field('datastoreId', datastores);
  return form.attach('file', Buffer.from('A text.'), 'sent.txt');
}
