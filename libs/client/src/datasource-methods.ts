import { buildUrl, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { watchDatasourceEvents, watchDatasourceById } from './datasource-events.js';
import { pollUntil } from './poll-until.js';
import { createRequestMethods } from './requests.js';
import type { List } from './paged-list.js';
import type { DatasourceEvent, ResetEvent } from './datasource-events.js';
import type { CallOptions, CreateOptions } from './call-options.js';
import type { AnswerOf, QueryOf } from './operation-types.js';
import type * as Types from './types.js';

/** Provides the operations on datasources and their content. */
export interface DatasourceMethods {
  listDatasources(query?: QueryOf<'listDatasources'>, options?: CallOptions): List<AnswerOf<'listDatasources'>>;
  getDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  updateDatasource(id: string, change: Types.UpdateDatasourceRequest, options?: CallOptions): Promise<Types.Datasource>;
  /**
   * Yields the state of a datasource at once, and again after each change, until the datasource is deleted. Connects
   * again after an interruption.
   */
  watchDatasource(id: string, options?: CallOptions): AsyncGenerator<DatasourceEvent>;
  /**
   * Yields the changes of all datasources of a datastore. The first event is `reset`. A later `reset` means that events
   * may have been lost, so list the datasources after each `reset`. Connects again after an interruption.
   */
  watchDatastore(id: string, options?: CallOptions): AsyncGenerator<DatasourceEvent | ResetEvent>;
  /**
   * Lists the documents of a datasource, such as pages or items, in the order of their keys, each with its outcome and
   * reason.
   */
  listDocuments(id: string, query?: QueryOf<'listDocuments'>, options?: CallOptions): List<AnswerOf<'listDocuments'>>;
  /** Lists the stored fragments of a datasource, in the order of document keys and positions. */
  listFragments(id: string, query?: QueryOf<'listFragments'>, options?: CallOptions): List<AnswerOf<'listFragments'>>;
  /**
   * Returns the bytes of an uploaded file or of an upserted text, as a response whose body is not read yet.
   *
   * @throws QuarryError `no_original` if the datasource is neither an uploaded file nor an upserted text
   */
  getOriginal(id: string, options?: CallOptions): Promise<Response>;
  /**
   * Returns a page of an uploaded PDF as a PNG picture, as a response whose body is not read yet. `page` starts at 1.
   *
   * @throws QuarryError `no_page_pictures`, `page_not_found`, `page_unreadable`, or `page_not_rendered` for a page that
   * is not rendered yet
   */
  getPagePicture(id: string, page: number, options?: CallOptions & QueryOf<'getPagePicture'>): Promise<Response>;
  /**
   * Returns the URL of a page picture, for `<img src>` in a page of the console. The browser sends the cookie of the
   * session to this URL.
   */
  getPagePictureUrl(id: string, page: number, query?: QueryOf<'getPagePicture'>): string;
  /** Lists the runs of a datasource, newest first. */
  listRuns(id: string, query?: QueryOf<'listRuns'>, options?: CallOptions): List<AnswerOf<'listRuns'>>;
  cancelDatasource(id: string, options?: CallOptions): Promise<Types.Datasource>;
  syncDatasource(id: string, options?: CreateOptions & QueryOf<'syncDatasource'>): Promise<Types.Datasource>;
  deleteDatasource(id: string, options?: CallOptions): Promise<void>;
  /**
   * Waits until the status of the datasource is `synched`, `error` or `usage_limit_reached`. To wait for at most a
   * minute, pass `{ signal: AbortSignal.timeout(60_000) }`.
   */
  untilSettled(id: string, options?: CallOptions): Promise<Types.Datasource>;
}

const SETTLED: readonly Types.Datasource['status'][] = ['synched', 'error', 'usage_limit_reached'];

/** Returns true if the latest run of a datasource has ended. */
export function isSettled({ status }: Types.Datasource): boolean {
  return SETTLED.includes(status);
}

export function createDatasourceMethods(connection: Connection): DatasourceMethods {
  const { requestJson, requestDownload, requestList, requestRemoval } = createRequestMethods(connection);
  return {
    listDatasources: (query = {}, { signal } = {}) => requestList('listDatasources', { query, signal }),
    getDatasource: async (id, { signal } = {}) => requestJson('getDatasource', { path: { id }, signal }),
    updateDatasource: async (id, json, { signal } = {}) =>
      requestJson('updateDatasource', { path: { id }, json, signal }),
    listFragments: (id, query = {}, { signal } = {}) => requestList('listFragments', { path: { id }, query, signal }),
    listDocuments: (id, query = {}, { signal } = {}) => requestList('listDocuments', { path: { id }, query, signal }),
    getOriginal: async (id, { signal } = {}) => requestDownload('getOriginal', { path: { id }, signal }),
    getPagePicture: async (id, page, { signal, ...query } = {}) =>
      requestDownload('getPagePicture', { path: { id, page: String(page) }, query, signal }),
    getPagePictureUrl: (id, page, query = {}) =>
      buildUrl(connection, { route: ROUTES.getPagePicture, path: { id, page: String(page) }, query }),
    listRuns: (id, query = {}, { signal } = {}) => requestList('listRuns', { path: { id }, query, signal }),
    watchDatasource: (id, { signal } = {}) => watchDatasourceById(connection, id, signal),
    watchDatastore: (id, { signal } = {}) =>
      watchDatasourceEvents(connection, { route: ROUTES.watchDatastore, path: { id }, signal }),
    cancelDatasource: async (id, { signal } = {}) => requestJson('cancelDatasource', { path: { id }, signal }),
    syncDatasource: async (id, { signal, idempotencyKey, ...query } = {}) =>
      requestJson('syncDatasource', { path: { id }, query, signal, idempotencyKey }),
    deleteDatasource: async (id, { signal } = {}) => requestRemoval('deleteDatasource', { path: { id }, signal }),
    untilSettled: async (id, { signal } = {}) =>
      pollUntil(() => requestJson('getDatasource', { path: { id }, signal }), isSettled, signal),
  };
}
