import {
  CreateDatastoreRequest,
  type DatastoreExpiry,
  DatastoreResponse,
  PageQuery,
  type SplittingSettings,
  UpdateDatastoreRequest,
} from '@quarry/contracts';
import {
  insertDatastore,
  listDatastores,
  requireDatastore,
  updateDatastore,
} from '../datastores/datastore-repository.js';
import { removeDatastore } from '../datastores/remove-datastore.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  describeCreatedResponse,
  DELETED,
  describeJsonResponse,
  createObjectSchema,
  createPageSchema,
} from '../http/responses.js';
import { buildPage, parsePageRequest } from '../paging/pages.js';
import { createFieldProblem } from '../checks/field-problem.js';
import type { DatastoreRow } from '../database/tables/datastores.js';

export const DATASTORE_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createDatastore',
    method: 'post',
    path: '/datastores',
    tag: 'Datastores',
    summary: 'Create a datastore',
    description: 'Creates an empty datastore. The embedding settings are fixed from then on.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: describeJsonBody(CreateDatastoreRequest, {
      unknownFields: 'refuse',
      check: ({ splitting }) => {
        requireSmallerOverlap(splitting);
      },
    }),
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The new datastore.', DatastoreResponse) },
    handle: async ({ gateway, caller, body, runOnce }) =>
      runOnce(async (tx) => {
        const row = await insertDatastore(tx, caller.organizationId, body, gateway.embedding);
        return buildCreatedReply(`/datastores/${row.id}`, buildDatastoreResponse(row));
      }),
  }),

  defineOperation({
    id: 'listDatastores',
    method: 'get',
    path: '/datastores',
    tag: 'Datastores',
    summary: 'List datastores',
    description: 'Sorted by creation time, newest first.',
    scopes: ['manage', 'ingest'],
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of datastores.', createPageSchema(DatastoreResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      const rows = await listDatastores(gateway.db, caller.organizationId, page, caller.limits?.datastoreIds);
      return buildOkReply(buildPage(rows, page, buildDatastoreResponse));
    },
  }),

  defineOperation({
    id: 'getDatastore',
    method: 'get',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Get a datastore',
    description: 'Returns the settings of a datastore.',
    scopes: ['manage', 'ingest'],
    params: { id: 'datastore' },
    responses: { 200: describeJsonResponse('The datastore.', createObjectSchema(DatastoreResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(buildDatastoreResponse(await requireDatastore(gateway.db, caller, params.id))),
  }),

  defineOperation({
    id: 'updateDatastore',
    method: 'patch',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Update a datastore',
    description: 'Changes the fields in the body. New settings apply to runs that start later.',
    scopes: ['manage'],
    params: { id: 'datastore' },
    body: describeJsonBody(UpdateDatastoreRequest, {
      unknownFields: 'refuse',
      check: ({ splitting }) => {
        requireSmallerOverlap(splitting);
      },
    }),
    responses: { 200: describeJsonResponse('The updated datastore.', createObjectSchema(DatastoreResponse)) },
    find: async ({ gateway, caller, params }) => requireDatastore(gateway.db, caller, params.id),
    handle: async ({ gateway: { db, clock }, caller, found: { id }, body }) =>
      buildOkReply(
        buildDatastoreResponse(await updateDatastore(db, { organizationId: caller.organizationId, id }, body, clock())),
      ),
  }),

  defineOperation({
    id: 'deleteDatastore',
    method: 'delete',
    path: '/datastores/{id}',
    tag: 'Datastores',
    summary: 'Delete a datastore',
    description:
      'Also deletes its datasources, their files and documents, and removes the datastore from agents that use it. Searches do not find its content from this moment.',
    scopes: ['manage'],
    params: { id: 'datastore' },
    responses: { 204: DELETED },
    handle: async ({ gateway, caller, params }) => {
      const datastore = await requireDatastore(gateway.db, caller, params.id);
      await removeDatastore(gateway, datastore);
      gateway.changes.publish({ kind: 'datastore', id: datastore.id });
      return buildEmptyReply();
    },
  }),
];

/**
 * Refuses an overlap that is not smaller than the maximum size of a fragment, because splitting would never end.
 *
 * @throws Problem 400
 */
function requireSmallerOverlap(splitting: SplittingSettings | null | undefined): void {
  if (splitting === undefined || splitting === null) return;
  const { maxTokens, overlapTokens } = splitting;
  if (overlapTokens < maxTokens) return;
  throw createFieldProblem(
    'splitting.overlapTokens',
    `must be less than maxTokens (${maxTokens}), found ${overlapTokens}`,
  );
}

/** Builds the API response of a datastore. */
function buildDatastoreResponse(row: DatastoreRow): DatastoreResponse {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    embedding: row.embedding,
    splitting: row.splitting,
    ocrLanguages: row.ocrLanguages,
    expiry: buildDatastoreExpiry(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function buildDatastoreExpiry({ expiryDays, expiresAt, expiredAt }: DatastoreRow): DatastoreExpiry | null {
  if (expiryDays === null || expiresAt === null) return null;
  return { days: expiryDays, expiresAt: expiresAt.toISOString(), expiredAt: expiredAt?.toISOString() ?? null };
}
