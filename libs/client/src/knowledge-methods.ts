import { parseAnswerEvents } from './answer-events.js';
import { buildUpload } from './build-upload.js';
import { sendRequest, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import type { KnowledgeMethods } from './quarry-client.js';
import { readBytes } from './read-bytes.js';
import { createRequests } from './requests.js';
import { openAnswerStream, readAnswerIds, readResumableStream } from './resume-answer.js';
import type { DatastoreQueryResult, ExplainedQueryResponse } from './types.js';

export function createKnowledgeMethods(connection: Connection): KnowledgeMethods {
  const { ask, remove } = createRequests(connection);
  return {
    queryAgent: async (id, request, options = {}) =>
      ask('queryAgent', { path: { id }, json: { ...request, streaming: false, resumable: false }, ...options }),
    streamAgent: async function* (id, request, options = {}) {
      const json = { ...request, streaming: true };
      const { onStart, onResume, ...call } = options;
      const response = await sendRequest(connection, { route: ROUTES.queryAgent, path: { id }, json, ...call });
      if (request.resumable !== true) {
        yield* parseAnswerEvents(readBytes(response));
        return;
      }
      const ids = readAnswerIds(response);
      onStart?.(ids);
      yield* readResumableStream(connection, { ...ids, response, signal: call.signal, after: '0', onResume });
    },
    streamAnswer: async function* (conversationId, messageId, { signal, after = 0, onResume } = {}) {
      const stream = { conversationId, messageId, signal, after: String(after), onResume };
      const response = await openAnswerStream(connection, stream);
      yield* readResumableStream(connection, { ...stream, response });
    },
    queryDatastore: async (id, request, { signal } = {}) => {
      const found = await ask('queryDatastore', { path: { id }, json: request, signal });
      return found as DatastoreQueryResult[]; // an array without `explain`
    },
    explainDatastoreQuery: async (id, request, { signal } = {}) => {
      const json = { ...request, explain: true };
      const found = await ask('queryDatastore', { path: { id }, json, signal });
      return found as ExplainedQueryResponse; // an object with `explain`
    },
    upsertDocuments: async (datastoreId, documents, options = {}) =>
      ask('upsertDocuments', { path: { datastoreId }, json: { documents: [...documents] }, ...options }),
    createDatasource: async (json, options = {}) => ask('createDatasource', { json, ...options }),
    uploadFile: async (datastoreId, file, { signal, idempotencyKey, onProgress, ...names } = {}) => {
      const upload = buildUpload(file, { ...names });
      return ask('uploadFile', { path: { datastoreId }, upload, signal, idempotencyKey, onProgress });
    },

    createDatastore: async (json, options = {}) => ask('createDatastore', { json, ...options }),
    listDatastores: async (query = {}, { signal } = {}) => ask('listDatastores', { query, signal }),
    getDatastore: async (id, { signal } = {}) => ask('getDatastore', { path: { id }, signal }),
    updateDatastore: async (id, json, { signal } = {}) => ask('updateDatastore', { path: { id }, json, signal }),
    deleteDatastore: async (id, { signal } = {}) => remove('deleteDatastore', { path: { id }, signal }),
  };
}
