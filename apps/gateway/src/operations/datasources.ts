import { DatasourceListQuery, DatasourceResponse, SyncQuery, UpdateDatasourceRequest } from '@quarry/contracts';
import { createFieldProblem } from '../checks/field-problem.js';
import { cancelDatasource } from '../datasources/cancel-datasource.js';
import { findQueuePlace } from '../datasources/find-queue-place.js';
import { listDatasources, requireDatasource } from '../datasources/datasource-repository.js';
import { buildDatasourceResponse } from '../datasources/datasource-view.js';
import { removeDatasource } from '../datasources/remove-datasource.js';
import { requireSyncOptions } from '../datasources/require-sync-options.js';
import { syncDatasource } from '../datasources/sync-datasource.js';
import { updateDatasource } from '../datasources/update-datasource.js';
import { requireDatastore } from '../datastores/datastore-repository.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import { describeJsonResponse, createObjectSchema, createPageSchema, DELETED } from '../http/responses.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';
import { LIVE_EVENT_OPERATIONS } from './live-events.js';
import { DATASOURCE_CONTENT_OPERATIONS } from './datasource-contents.js';

const LIST_AND_CHANGE: readonly Operation[] = [
  defineOperation({
    id: 'listDatasources',
    method: 'get',
    path: '/datasources',
    tag: 'Datasources',
    summary: 'List datasources',
    description: 'Sorted by creation time, newest first unless `order` is `asc`.',
    scopes: ['manage', 'ingest'],
    query: DatasourceListQuery,
    responses: { 200: describeJsonResponse('One page of datasources.', createPageSchema(DatasourceResponse)) },
    problems: ['not_found'],
    handle: async ({ gateway: { db }, caller, query }) => {
      const { status, type, documentId, name, errorCode, order = 'desc' } = query;
      if (documentId !== undefined && query.datastoreId === undefined) {
        throw createFieldProblem('documentId', 'must be absent unless datastoreId is present, found a text');
      }
      const datastoreId =
        query.datastoreId === undefined ? undefined : (await requireDatastore(db, caller, query.datastoreId)).id;
      const filter = {
        datastoreId,
        status,
        type,
        documentId,
        name,
        errorCode,
        accessibleDatastoreIds: caller.limits?.datastoreIds,
      };
      const page = parsePageRequest(query);
      const rows = await listDatasources(db, caller.organizationId, filter, { ...page, order });
      return buildOkReply(buildPage(rows, page, buildDatasourceResponse));
    },
  }),

  defineOperation({
    id: 'getDatasource',
    method: 'get',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Get a datasource',
    description:
      'The field `run` contains the progress or the outcome of the latest run. While the run waits for a worker, the field `queue` contains its place. Only this operation returns it.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 200: describeJsonResponse('The datasource.', createObjectSchema(DatasourceResponse)) },
    handle: async ({ gateway, caller, params }) => {
      const found = await requireDatasource(gateway.db, caller, params.id);
      const queue = await findQueuePlace(gateway, found);
      return buildOkReply(Object.assign(buildDatasourceResponse(found), queue === undefined ? {} : { queue }));
    },
  }),

  defineOperation({
    id: 'updateDatasource',
    method: 'patch',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Update a datasource',
    description:
      'Changes the name, or the configuration of a web site or an item listing. A new address supersedes the run in progress. Other changes apply from the next sync.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    body: describeJsonBody(UpdateDatasourceRequest, { unknownFields: 'refuse' }),
    responses: { 200: describeJsonResponse('The datasource.', createObjectSchema(DatasourceResponse)) },
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found: { datasource }, body }) => {
      const updated = await updateDatasource(gateway, caller.organizationId, datasource.id, body);
      gateway.changes.publish({ kind: 'datasource', id: datasource.id });
      return buildOkReply(buildDatasourceResponse(updated));
    },
  }),
];

const RUN_AND_REMOVE: readonly Operation[] = [
  defineOperation({
    id: 'cancelDatasource',
    method: 'post',
    path: '/datasources/{id}/cancel',
    tag: 'Datasources',
    summary: 'Cancel the run of a datasource',
    description:
      'Ends the run in progress with the status `error` and the code `cancelled`. Documents that it has indexed remain, and the next sync skips them unless they changed.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 200: describeJsonResponse('The datasource.', createObjectSchema(DatasourceResponse)) },
    problems: ['nothing_to_cancel'],
    handle: async ({ gateway, caller, params }) => {
      const { datasource } = await requireDatasource(gateway.db, caller, params.id);
      const cancelled = await cancelDatasource(gateway, caller.organizationId, datasource.id);
      gateway.changes.publish({ kind: 'datasource', id: datasource.id });
      return buildOkReply(buildDatasourceResponse(cancelled));
    },
  }),

  defineOperation({
    id: 'syncDatasource',
    method: 'post',
    path: '/datasources/{id}/sync',
    tag: 'Datasources',
    summary: 'Sync a datasource',
    description: 'Starts a new run, which supersedes a run in progress. Unchanged documents are not embedded again.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    query: SyncQuery,
    idempotency: 'transaction',
    responses: {
      200: describeJsonResponse(
        'The datasource, with the status of the new run.',
        createObjectSchema(DatasourceResponse),
      ),
    },
    problems: ['nothing_to_sync', 'run_under_way'],
    find: async ({ gateway, caller, params }) => requireDatasource(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found: { datasource }, query, runOnce }) => {
      const options = requireSyncOptions(datasource.type, query);
      const reply = await runOnce(async (tx) => {
        const started = await syncDatasource({ ...gateway, db: tx }, caller.organizationId, datasource.id, options);
        return buildOkReply(buildDatasourceResponse(started));
      }, options);
      gateway.changes.publish({ kind: 'datasource', id: datasource.id });
      return reply;
    },
  }),

  defineOperation({
    id: 'deleteDatasource',
    method: 'delete',
    path: '/datasources/{id}',
    tag: 'Datasources',
    summary: 'Delete a datasource',
    description: 'Also deletes its files and documents. Searches do not find them from this moment.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datasource' },
    responses: { 204: DELETED },
    handle: async ({ gateway: { db, clock, outboxWritten, changes }, caller, params }) => {
      const { datasource } = await requireDatasource(db, caller, params.id);
      await removeDatasource(db, caller.organizationId, datasource.id, clock());
      outboxWritten.wake();
      changes.publish({ kind: 'removed', id: datasource.id, datastoreId: datasource.datastoreId });
      return buildEmptyReply();
    },
  }),
];

export const DATASOURCE_OPERATIONS: readonly Operation[] = [
  ...LIST_AND_CHANGE,
  ...DATASOURCE_CONTENT_OPERATIONS,
  ...RUN_AND_REMOVE,
  ...LIVE_EVENT_OPERATIONS,
];
