import { parseAnswerEvents } from './answer-events.js';
import { buildUpload } from './build-upload.js';
import { sendRequest, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { pollUntil } from './poll-until.js';
import type { KnowledgeMethods } from './quarry-client.js';
import { createRequests } from './requests.js';
import type { Datasource } from './types.js';

const SETTLED: readonly Datasource['status'][] = ['synched', 'error', 'usage_limit_reached'];

export function createKnowledgeMethods(connection: Connection): KnowledgeMethods {
  const { ask, remove } = createRequests(connection);
  return {
    queryAgent: async (id, request, options = {}) =>
      ask('queryAgent', { path: { id }, json: { ...request, streaming: false }, ...options }),
    streamAgent: async function* (id, request, options = {}) {
      const json = { ...request, streaming: true };
      const response = await sendRequest(connection, { route: ROUTES.queryAgent, path: { id }, json, ...options });
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
      pollUntil(
        () => ask('getDatasource', { path: { id }, signal }),
        ({ status }) => SETTLED.includes(status),
        signal,
      ),
  };
}

/**
 * Yields the chunks of a response body. Leaving the loop early ends the request. Not all browsers support iterating a
 * stream directly.
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
