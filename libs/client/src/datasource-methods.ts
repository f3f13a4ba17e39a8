import { buildUrl, type Connection } from './connection.js';
import { ROUTES } from './generated/routes.js';
import { watchChanges, watchOne } from './datasource-events.js';
import { pollUntil } from './poll-until.js';
import type { DatasourceMethods } from './quarry-client.js';
import { createRequests } from './requests.js';
import type { Datasource } from './types.js';

const SETTLED: readonly Datasource['status'][] = ['synched', 'error', 'usage_limit_reached'];

export function createDatasourceMethods(connection: Connection): DatasourceMethods {
  const { ask, download, remove } = createRequests(connection);
  return {
    listDatasources: async (query = {}, { signal } = {}) => ask('listDatasources', { query, signal }),
    getDatasource: async (id, { signal } = {}) => ask('getDatasource', { path: { id }, signal }),
    updateDatasource: async (id, json, { signal } = {}) => ask('updateDatasource', { path: { id }, json, signal }),
    listFragments: async (id, query = {}, { signal } = {}) => ask('listFragments', { path: { id }, query, signal }),
    listDocuments: async (id, query = {}, { signal } = {}) => ask('listDocuments', { path: { id }, query, signal }),
    getOriginal: async (id, { signal } = {}) => download('getOriginal', { path: { id }, signal }),
    getPagePicture: async (id, page, { signal, ...query } = {}) =>
      download('getPagePicture', { path: { id, page: String(page) }, query, signal }),
    getPagePictureUrl: (id, page, query = {}) =>
      buildUrl(connection, { route: ROUTES.getPagePicture, path: { id, page: String(page) }, query }),
    listRuns: async (id, query = {}, { signal } = {}) => ask('listRuns', { path: { id }, query, signal }),
    watchDatasource: (id, { signal } = {}) => watchOne(connection, id, signal),
    watchDatastore: (id, { signal } = {}) =>
      watchChanges(connection, { route: ROUTES.watchDatastore, path: { id }, signal }),
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
