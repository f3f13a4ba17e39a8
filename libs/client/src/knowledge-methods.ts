import { parseAnswerEvents } from './answer-events.js';
import { buildUpload } from './build-upload.js';
import type { Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { openEventStream } from './open-event-stream.js';
import { readResponseBytes } from './read-response-bytes.js';
import { createRequestMethods } from './requests.js';
import { openAnswerStream, readAnswerIds, readResumableStream } from './resume-answer.js';
import type { DatastoreQueryResult, ExplainedQueryResponse } from './types.js';
import type { List } from './paged-list.js';
import type { AnswerEvent } from './answer-events.js';
import type { UploadedFile } from './build-upload.js';
import type { CallOptions, CreateOptions, StreamOptions, UploadOptions } from './call-options.js';
import type { AnswerOf, QueryOf } from './operation-types.js';
import type * as Types from './types.js';

/** Provides the operations that query agents and datastores, and that fill datastores. */
export interface KnowledgeMethods {
  queryAgent(id: string, request: Types.AgentQueryRequest, options?: CreateOptions): Promise<Types.AgentQueryResponse>;

  /**
   * Streams an answer of an agent while the model generates the text. Leaving the `for await` loop early stops the
   * model, unless the call has an `idempotencyKey`. With `resumable: true`, the stream continues after an interruption
   * of the connection, and leaving the loop early stops the model after 30 seconds.
   */
  streamAgent(id: string, request: Types.AgentQueryRequest, options?: StreamOptions): AsyncGenerator<AnswerEvent>;

  /**
   * Continues the stream of an answer that was requested with `resumable: true`, for example after the browser has
   * reloaded a page. The stream omits the first `after` characters of the answer, by default none.
   */
  streamAnswer(
    conversationId: string,
    messageId: string,
    options?: CallOptions & Pick<StreamOptions, 'onResume'> & { readonly after?: number },
  ): AsyncGenerator<AnswerEvent>;

  queryDatastore(
    id: string,
    request: Types.DatastoreQueryRequest,
    options?: CallOptions,
  ): Promise<Types.DatastoreQueryResult[]>;

  /** Searches a datastore, and explains the result: scores and ranks per stage, dropped fragments, and durations. */
  explainDatastoreQuery(
    id: string,
    request: Types.DatastoreQueryRequest,
    options?: CallOptions,
  ): Promise<Types.ExplainedQueryResponse>;

  upsertDocuments(
    datastoreId: string,
    documents: readonly Types.UpsertDocument[],
    options?: CreateOptions,
  ): Promise<AnswerOf<'upsertDocuments'>>;

  /** Creates a datasource from a URL. Use `uploadFile` for files. */
  createDatasource(request: Types.CreateDatasourceRequest, options?: CreateOptions): Promise<Types.Datasource>;

  /**
   * Reads the beginning of an item listing, and returns what a datasource of this listing would contain. Stores
   * nothing.
   */
  dryRunDatasource(request: Types.ItemListingRequest, options?: CallOptions): Promise<Types.ListingDryRun>;

  /**
   * Uploads a file. If the file is a stream, sends it in chunks as they are read, without buffering the file in memory.
   */
  uploadFile(datastoreId: string, file: UploadedFile, options?: UploadOptions): Promise<Types.Datasource>;

  createDatastore(request: Types.CreateDatastoreRequest, options?: CreateOptions): Promise<Types.Datastore>;
  listDatastores(query?: QueryOf<'listDatastores'>, options?: CallOptions): List<AnswerOf<'listDatastores'>>;
  getDatastore(id: string, options?: CallOptions): Promise<Types.Datastore>;
  updateDatastore(id: string, change: Types.UpdateDatastoreRequest, options?: CallOptions): Promise<Types.Datastore>;
  deleteDatastore(id: string, options?: CallOptions): Promise<void>;
}

export function createKnowledgeMethods(connection: Connection): KnowledgeMethods {
  const { requestJson, requestList, requestRemoval } = createRequestMethods(connection);
  return {
    queryAgent: async (id, request, options = {}) =>
      requestJson('queryAgent', { path: { id }, json: { ...request, streaming: false, resumable: false }, ...options }),
    streamAgent: async function* (id, request, options = {}) {
      const json = { ...request, streaming: true };
      const { onStart, onResume, ...call } = options;
      const response = await openEventStream(connection, { route: ROUTES.queryAgent, path: { id }, json, ...call });
      if (request.resumable !== true) {
        yield* parseAnswerEvents(readResponseBytes(response));
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
      const found = await requestJson('queryDatastore', { path: { id }, json: request, signal });
      return found as DatastoreQueryResult[]; // an array without `explain`
    },
    explainDatastoreQuery: async (id, request, { signal } = {}) => {
      const json = { ...request, explain: true };
      const found = await requestJson('queryDatastore', { path: { id }, json, signal });
      return found as ExplainedQueryResponse; // an object with `explain`
    },
    upsertDocuments: async (datastoreId, documents, options = {}) =>
      requestJson('upsertDocuments', { path: { datastoreId }, json: { documents: [...documents] }, ...options }),
    createDatasource: async (json, options = {}) => requestJson('createDatasource', { json, ...options }),
    dryRunDatasource: async (json, { signal } = {}) => requestJson('dryRunDatasource', { json, signal }),
    uploadFile: async (datastoreId, file, { signal, idempotencyKey, onProgress, ...names } = {}) => {
      // The field `fileName` contains the name, too: the form encodes quotation marks in the name of its file part, and
      // Quarry does not decode them.
      const upload = buildUpload(file, { fileName: file.name, ...names });
      return requestJson('uploadFile', { path: { datastoreId }, upload, signal, idempotencyKey, onProgress });
    },

    createDatastore: async (json, options = {}) => requestJson('createDatastore', { json, ...options }),
    listDatastores: (query = {}, { signal } = {}) => requestList('listDatastores', { query, signal }),
    getDatastore: async (id, { signal } = {}) => requestJson('getDatastore', { path: { id }, signal }),
    updateDatastore: async (id, json, { signal } = {}) =>
      requestJson('updateDatastore', { path: { id }, json, signal }),
    deleteDatastore: async (id, { signal } = {}) => requestRemoval('deleteDatastore', { path: { id }, signal }),
  };
}
