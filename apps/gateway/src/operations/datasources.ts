import { DatasourceListQuery, DatasourceResponse, SyncQuery, UpdateDatasourceRequest } from '@quarry/contracts';
import { cancelDatasource } from '../datasources/cancel-datasource.js';
import { listDatasources } from '../datasources/datasource-repository.js';
import { viewDatasource } from '../datasources/datasource-view.js';
import { removeDatasource } from '../datasources/remove-datasource.js';
import { requireDatasource } from '../datasources/require-datasource.js';
import { requireSyncOptions } from '../datasources/require-sync-options.js';
import { syncDatasource } from '../datasources/sync-datasource.js';
import { updateDatasource } from '../datasources/update-datasource.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { noContent, ok } from '../http/reply.js';
import { json } from '../http/request-body.js';
import { jsonResponse, one, pageOf, REMOVED } from '../http/responses.js';
import { pageRequest, toPage } from '../paging/pages.js';
import { DATASOURCE_CONTENT_OPERATIONS } from './datasource-contents.js';

const LIST_AND_CHANGE: readonly Operation[] = [
  operation({
    id: 'listDatasources',
    method: 'get',
    path: '/datasources',
    tag: 'Datasources',
    summary: 'List datasources',
    description: 'Newest first.',
    scopes: ['manage', 'ingest'],
    query: DatasourceListQuery,
    responses: { 200: jsonResponse('A part of the list.', pageOf(DatasourceResponse)) },
    problems: ['not_found'],
    handle: async ({ gateway: { db }, caller, query }) => {
      const { status, type } = query;
      const datastoreId =
        query.datastoreId === undefined ? undefined : (await requireDatastore(db, caller, query.datastoreId)).id;
      const filter = { datastoreId, status, type, onlyIn: caller.limits?.datastoreIds };
      const page = pageRequest(query);
      return ok(toPage(await listDatasources(db, caller.organizationId, filter, page), page, viewDatasource));
    },
  }),

  operation({
    id: 'getDatasource',
    method: 'get',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Show a datasource',
    description: 'With how far its latest run is, or how it ended and why.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 200: jsonResponse('The datasource.', one(DatasourceResponse)) },
    handle: async ({ gateway, caller, params }) =>
      ok(viewDatasource(await requireDatasource(gateway.db, caller, params.id))),
  }),

  operation({
    id: 'updateDatasource',
    method: 'patch',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Change a datasource',
    description: 'Its name, and for a web site or an item listing its configuration. The next sync goes by it.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    body: json(UpdateDatasourceRequest, { unknownFields: 'refuse' }),
    responses: { 200: jsonResponse('The datasource.', one(DatasourceResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found: { datasource }, body }) =>
      ok(viewDatasource(await updateDatasource(gateway, caller.organizationId, datasource.id, body))),
  }),
];

const RUN_AND_REMOVE: readonly Operation[] = [
  operation({
    id: 'cancelDatasource',
    method: 'post',
    path: '/datasources/{id}/cancel',
    tag: 'Datasources',
    summary: 'Cancel the run under way',
    description:
      'It ends at once as `error` with the code `cancelled`. What it has indexed so far stays, and a sync goes on from there.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 200: jsonResponse('The datasource.', one(DatasourceResponse)) },
    problems: ['nothing_to_cancel'],
    handle: async ({ gateway, caller, params }) => {
      const { datasource } = await requireDatasource(gateway.db, caller, params.id);
      return ok(viewDatasource(await cancelDatasource(gateway, caller.organizationId, datasource.id)));
    },
  }),

  operation({
    id: 'syncDatasource',
    method: 'post',
    path: '/datasources/{id}/sync',
    tag: 'Datasources',
    summary: 'Sync a datasource again',
    description: 'Starts a new run; one that is under way is replaced. What has not changed is not embedded again.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: SyncQuery,
    idempotency: 'transaction',
    responses: { 200: jsonResponse('The datasource, pending.', one(DatasourceResponse)) },
    problems: ['nothing_to_sync', 'run_under_way'],
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found: { datasource }, query, once }) => {
      const options = requireSyncOptions(datasource.type, query);
      return once(async (tx) => {
        const started = await syncDatasource({ ...gateway, db: tx }, caller.organizationId, datasource.id, options);
        return ok(viewDatasource(started));
      }, options);
    },
  }),

  operation({
    id: 'deleteDatasource',
    method: 'delete',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Remove a datasource',
    description: 'With its files and everything that can be searched of it.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 204: REMOVED },
    handle: async ({ gateway: { db, clock, outboxWritten }, caller, params }) => {
      const { datasource } = await requireDatasource(db, caller, params.id);
      await removeDatasource(db, caller.organizationId, datasource.id, clock());
      outboxWritten.wake();
      return noContent();
    },
  }),
];

export const DATASOURCE_OPERATIONS: readonly Operation[] = [
  ...LIST_AND_CHANGE,
  ...DATASOURCE_CONTENT_OPERATIONS,
  ...RUN_AND_REMOVE,
];
