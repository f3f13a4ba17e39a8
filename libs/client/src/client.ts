import { parseAnswerEvents } from './answer-events.js';
import { buildUpload } from './build-upload.js';
import { send, type Call, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import type { AnswerOf, JsonBodyOf, OperationId, PathOf, QueryOf } from './operation-types.js';
import type { ClientOptions, QuarryClient } from './quarry-client.js';
import { untilSettled } from './until-settled.js';

/**
 * Creates a client for the Quarry API.
 *
 *     const quarry = createClient({ baseUrl: 'http://localhost:3000/api', apiKey });
 *     const { id } = await quarry.createDatastore({ name: 'manuals' });
 *     const manual = await quarry.uploadFile(id, new File([bytes], 'manual.pdf', { type: 'application/pdf' }));
 *     await quarry.untilSettled(manual.id);
 *     const agent = await quarry.createAgent({ name: 'support', datastoreIds: [id] });
 *
 *     for await (const event of quarry.streamAgent(agent.id, { query: 'How do I reset it?' })) {
 *       if (event.type === 'answer') process.stdout.write(event.text);
 *       else console.log(event.response.sources);
 *     }
 *
 * The client repeats safe requests when Quarry responds with 429 or 503 and `Retry-After`. By default it retries twice
 * and waits at most 30 s each time. Requests that create a resource carry an `Idempotency-Key`, so that a repeated
 * request creates it only once.
 */
export function createClient(options: ClientOptions): QuarryClient {
  const connection: Connection = { fetch: globalThis.fetch, retries: 2, maxWaitMs: 30_000, ...options };
  const ask = async <Id extends OperationId>(id: Id, call: CallOf<Id>): Promise<AnswerOf<Id>> => {
    const response = await send(connection, { ...call, route: ROUTES[id] });
    return (await response.json()) as AnswerOf<Id>; // shape guaranteed by the OpenAPI document
  };
  const remove = async (id: RemovalId, call: Omit<Call, 'route'>) => {
    await send(connection, { ...call, route: ROUTES[id] });
  };
  return {
    queryAgent: async (id, request, options = {}) =>
      ask('queryAgent', { path: { id }, json: { ...request, streaming: false }, ...options }),
    streamAgent: async function* (id, request, options = {}) {
      const json = { ...request, streaming: true };
      const response = await send(connection, { route: ROUTES.queryAgent, path: { id }, json, ...options });
      yield* parseAnswerEvents(readBytes(response));
    },
    queryDatastore: async (id, json, { signal } = {}) => ask('queryDatastore', { path: { id }, json, signal }),
    upsertDocuments: async (datastoreId, documents, options = {}) =>
      ask('upsertDocuments', { path: { datastoreId }, json: { documents: [...documents] }, ...options }),
    createDatasource: async (json, options = {}) => ask('createDatasource', { json, ...options }),
    uploadFile: async (datastoreId, file, { signal, idempotencyKey, ...names } = {}) =>
      ask('uploadFile', { path: { datastoreId }, upload: buildUpload(file, { ...names }), signal, idempotencyKey }),

    createDatastore: async (json, options = {}) => ask('createDatastore', { json, ...options }),
    listDatastores: async (query = {}, { signal } = {}) => ask('listDatastores', { query, signal }),
    getDatastore: async (id, { signal } = {}) => ask('getDatastore', { path: { id }, signal }),
    updateDatastore: async (id, json, { signal } = {}) => ask('updateDatastore', { path: { id }, json, signal }),
    deleteDatastore: async (id, { signal } = {}) => remove('deleteDatastore', { path: { id }, signal }),

    listDatasources: async (query = {}, { signal } = {}) => ask('listDatasources', { query, signal }),
    getDatasource: async (id, { signal } = {}) => ask('getDatasource', { path: { id }, signal }),
    updateDatasource: async (id, json, { signal } = {}) => ask('updateDatasource', { path: { id }, json, signal }),
    listDocuments: async (id, query = {}, { signal } = {}) => ask('listDocuments', { path: { id }, query, signal }),
    listRuns: async (id, query = {}, { signal } = {}) => ask('listRuns', { path: { id }, query, signal }),
    cancelDatasource: async (id, { signal } = {}) => ask('cancelDatasource', { path: { id }, signal }),
    syncDatasource: async (id, { signal, idempotencyKey, ...query } = {}) =>
      ask('syncDatasource', { path: { id }, query, signal, idempotencyKey }),
    deleteDatasource: async (id, { signal } = {}) => remove('deleteDatasource', { path: { id }, signal }),
    untilSettled: async (id, { signal } = {}) =>
      untilSettled(() => ask('getDatasource', { path: { id }, signal }), signal),

    createAgent: async (json, options = {}) => ask('createAgent', { json, ...options }),
    listAgents: async (query = {}, { signal } = {}) => ask('listAgents', { query, signal }),
    getAgent: async (id, { signal } = {}) => ask('getAgent', { path: { id }, signal }),
    updateAgent: async (id, json, { signal } = {}) => ask('updateAgent', { path: { id }, json, signal }),
    deleteAgent: async (id, { signal } = {}) => remove('deleteAgent', { path: { id }, signal }),

    listConversations: async (query = {}, { signal } = {}) => ask('listConversations', { query, signal }),
    getConversation: async (id, { signal } = {}) => ask('getConversation', { path: { id }, signal }),
    listMessages: async (id, query = {}, { signal } = {}) => ask('listMessages', { path: { id }, query, signal }),
    deleteConversation: async (id, { signal } = {}) => remove('deleteConversation', { path: { id }, signal }),

    getMe: async ({ signal } = {}) => ask('getMe', { signal }),
    createApiKey: async (json, options = {}) => ask('createApiKey', { json, ...options }),
    listApiKeys: async (query = {}, { signal } = {}) => ask('listApiKeys', { query, signal }),
    getApiKey: async (id, { signal } = {}) => ask('getApiKey', { path: { id }, signal }),
    updateApiKey: async (id, json, { signal } = {}) => ask('updateApiKey', { path: { id }, json, signal }),
    revokeApiKey: async (id, { signal } = {}) => remove('revokeApiKey', { path: { id }, signal }),

    getUsage: async ({ signal } = {}) => ask('getUsage', { signal }),
    createWebhook: async (json, options = {}) => ask('createWebhook', { json, ...options }),
    listWebhooks: async (query = {}, { signal } = {}) => ask('listWebhooks', { query, signal }),
    getWebhook: async (id, { signal } = {}) => ask('getWebhook', { path: { id }, signal }),
    updateWebhook: async (id, json, { signal } = {}) => ask('updateWebhook', { path: { id }, json, signal }),
    deleteWebhook: async (id, { signal } = {}) => remove('deleteWebhook', { path: { id }, signal }),

    createOrganization: async (json, options = {}) => ask('createOrganization', { json, ...options }),
    listOrganizations: async (query = {}, { signal } = {}) => ask('listOrganizations', { query, signal }),
    getOrganization: async (id, { signal } = {}) => ask('getOrganization', { path: { id }, signal }),
    getOrganizationUsage: async (id, { signal } = {}) => ask('getOrganizationUsage', { path: { id }, signal }),
    updateOrganization: async (id, json, { signal } = {}) => ask('updateOrganization', { path: { id }, json, signal }),
    deleteOrganization: async (id, { signal } = {}) => remove('deleteOrganization', { path: { id }, signal }),
  };
}

type RemovalId = Extract<OperationId, `delete${string}` | 'revokeApiKey'>;

interface CallOf<Id extends OperationId> extends Omit<Call, 'route' | 'path' | 'query' | 'json'> {
  readonly path?: PathOf<Id>;
  readonly query?: QueryOf<Id>;
  readonly json?: JsonBodyOf<Id>;
}

/**
 * Reads the body of a response. Leaving the loop early ends the request. Not all browsers support iterating a stream
 * directly.
 */
async function* readBytes({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
