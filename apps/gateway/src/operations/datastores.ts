import { CreateDatastoreRequest, DatastoreResponse, PageQuery, UpdateDatastoreRequest } from '@quarry/contracts';
import { insertDatastore, listDatastores, updateDatastore } from '../datastores/datastore-repository.js';
import { viewDatastore } from '../datastores/datastore-view.js';
import { removeDatastore } from '../datastores/remove-datastore.js';
import { requireDatastore } from '../datastores/require-datastore.js';
import { requireSplitting } from '../datastores/require-splitting.js';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { created, noContent, ok } from '../http/reply.js';
import { json } from '../http/request-body.js';
import { createdResponse, jsonResponse, one, pageOf, REMOVED } from '../http/responses.js';
import { pageRequest, toPage } from '../paging/pages.js';

export const DATASTORE_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'createDatastore',
    method: 'post',
    path: '/datastores',
    tag: 'Datastores',
    summary: 'Make a datastore',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: json(CreateDatastoreRequest, {
      unknownFields: 'refuse',
      check: ({ splitting }) => {
        requireSplitting(splitting);
      },
    }),
    idempotency: 'transaction',
    responses: { 201: createdResponse('The datastore.', DatastoreResponse) },
    handle: async ({ gateway, caller, body, once }) =>
      once(async (tx) => {
        const row = await insertDatastore(tx, caller.organizationId, body, gateway.embedding);
        return created(`/datastores/${row.id}`, viewDatastore(row));
      }),
  }),

  operation({
    id: 'listDatastores',
    method: 'get',
    path: '/datastores',
    tag: 'Datastores',
    summary: 'List datastores',
    description: 'Newest first.',
    scopes: ['manage', 'ingest'],
    query: PageQuery,
    responses: { 200: jsonResponse('A part of the list.', pageOf(DatastoreResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = pageRequest(query);
      const rows = await listDatastores(gateway.db, caller.organizationId, page, caller.limits?.datastoreIds);
      return ok(toPage(rows, page, viewDatastore));
    },
  }),

  operation({
    id: 'getDatastore',
    method: 'get',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Show a datastore',
    scopes: ['manage', 'ingest'],
    params: { id: 'datastore' },
    responses: { 200: jsonResponse('The datastore.', one(DatastoreResponse)) },
    handle: async ({ gateway, caller, params }) =>
      ok(viewDatastore(await requireDatastore(gateway.db, caller, params.id))),
  }),

  operation({
    id: 'updateDatastore',
    method: 'patch',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Change a datastore',
    description: 'What is absent stays as it is. New splitting applies to runs that start later.',
    scopes: ['manage'],
    params: { id: 'datastore' },
    body: json(UpdateDatastoreRequest, {
      unknownFields: 'refuse',
      check: ({ splitting }) => {
        requireSplitting(splitting);
      },
    }),
    responses: { 200: jsonResponse('The datastore as it is now.', one(DatastoreResponse)) },
    find: async ({ gateway, caller, params }) => requireDatastore(gateway.db, caller, params.id),
    handle: async ({ gateway: { db, clock }, caller, found: { id }, body }) =>
      ok(viewDatastore(await updateDatastore(db, { organizationId: caller.organizationId, id }, body, clock()))),
  }),

  operation({
    id: 'deleteDatastore',
    method: 'delete',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Remove a datastore',
    description:
      'With its datasources, their files and everything that can be searched of them. Agents go on without it.',
    scopes: ['manage'],
    params: { id: 'datastore' },
    responses: { 204: REMOVED },
    handle: async ({ gateway: { db, clock, outboxWritten }, caller, params }) => {
      const { id } = await requireDatastore(db, caller, params.id);
      await removeDatastore(db, caller.organizationId, id, clock());
      outboxWritten.wake();
      return noContent();
    },
  }),
];
