import type { Caller } from '../../../access/caller.js';
import { requireAnyScope } from '../../../keys/authenticate-key.js';
import type { DatastoreRow } from '../../../database/tables/datastores.js';
import {
  insertDatastore,
  listDatastoresInWindow,
  requireDatastore,
  updateDatastore,
} from '../../../datastores/datastore-repository.js';
import { getLastUsedAt, buildExpiryColumns } from '../../../datastores/datastore-expiry.js';
import { removeDatastore } from '../../../datastores/remove-datastore.js';
import type { Gateway } from '../../../gateway.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { withCopiedFiles } from '../../../vector-stores/attach-files.js';
import { countVectorStoreFiles, type FileCounts } from '../../../vector-stores/vector-store-files.js';
import { buildListPage, createListPageSchema, parseListWindow, WindowQuery } from '../protocol/list-window.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { requireAttachableFiles } from './require-attachable-files.js';
import { formatResourceId, createIdParser } from '../protocol/resource-ids.js';
import { toUnixTime } from '../protocol/unix-time.js';
import {
  CreateVectorStoreRequest,
  DeletedVectorStore,
  buildSplittingSettings,
  UpdateVectorStoreRequest,
  type VectorStoreExpiry,
  VectorStoreObject,
} from './vector-store-shapes.js';

/** The name of a vector store for which the client sends no name. Every datastore must have a name. */
const DEFAULT_NAME = 'Vector store';

const params = { vector_store_id: createIdParser('vector store') };

/** Lists the operations on vector stores. A vector store is a datastore. */
export const VECTOR_STORE_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createVectorStore',
    method: 'post',
    path: '/vector_stores',
    tag: 'OpenAI-compatible',
    summary: 'Create a vector store',
    description: 'Creates a datastore. With `file_ids`, the key also needs the scope `ingest`.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: describeOpenAiBody(CreateVectorStoreRequest, { inert: {} }),
    idempotency: 'staged',
    responses: { 200: describeJsonResponse('The vector store.', createObjectSchema(VectorStoreObject)) },
    handle: async ({ gateway, caller, body, runOnce }) => {
      const { name = DEFAULT_NAME, description = null, metadata = null, file_ids: fileIds = [] } = body;
      const splitting = buildSplittingSettings(body.chunking_strategy) ?? null;
      if (fileIds.length > 0) requireAnyScope(caller, ['ingest']);
      const { organizationId } = caller;
      const files = await requireAttachableFiles(
        gateway,
        caller,
        fileIds.map((id) => ({ file_id: id })),
        'file_ids',
      );
      return withCopiedFiles(gateway, { organizationId, datastoreId: undefined }, files, async (save) =>
        runOnce(async (tx) => {
          const settings = {
            name,
            description,
            metadata,
            splitting,
            expiry: buildStoreExpiry(body.expires_after, gateway),
          };
          const row = await insertDatastore(tx, organizationId, settings, gateway.embedding);
          await save(tx, row);
          return buildOkReply(
            buildVectorStoreObject(row, (await countVectorStoreFiles(tx, organizationId, [row.id]))(row.id)),
          );
        }),
      );
    },
  }),

  defineOperation({
    id: 'listVectorStores',
    method: 'get',
    path: '/vector_stores',
    tag: 'OpenAI-compatible',
    summary: 'List the vector stores',
    scopes: ['manage', 'ingest'],
    query: WindowQuery,
    responses: { 200: describeJsonResponse('The vector stores.', createListPageSchema(VectorStoreObject)) },
    handle: async ({ gateway: { db }, caller, query }) => {
      const found = await listDatastoresInWindow(db, caller, parseListWindow('vector store', query));
      const ids = found.rows.map(({ id }) => id);
      const countFiles = await countVectorStoreFiles(db, caller.organizationId, ids);
      return buildOkReply(buildListPage(found, (row) => buildVectorStoreObject(row, countFiles(row.id))));
    },
  }),

  defineOperation({
    id: 'retrieveVectorStore',
    method: 'get',
    path: '/vector_stores/{vector_store_id}',
    tag: 'OpenAI-compatible',
    summary: 'Get a vector store',
    scopes: ['manage', 'ingest'],
    params,
    responses: { 200: describeJsonResponse('The vector store.', createObjectSchema(VectorStoreObject)) },
    handle: async ({ gateway, caller, params: { vector_store_id: id } }) =>
      buildOkReply(await loadVectorStoreObject(gateway, caller, await requireDatastore(gateway.db, caller, id))),
  }),

  defineOperation({
    id: 'updateVectorStore',
    method: 'post',
    path: '/vector_stores/{vector_store_id}',
    tag: 'OpenAI-compatible',
    summary: 'Update a vector store',
    scopes: ['manage'],
    params,
    body: describeOpenAiBody(UpdateVectorStoreRequest, { inert: {} }),
    responses: { 200: describeJsonResponse('The vector store.', createObjectSchema(VectorStoreObject)) },
    find: async ({ gateway, caller, params: { vector_store_id: id } }) => requireDatastore(gateway.db, caller, id),
    handle: async ({ gateway, caller, found, body }) => {
      const { expires_after: expiresAfter, ...settings } = body;
      const expiry = buildStoreExpiry(expiresAfter, gateway);
      const row = await updateDatastore(gateway.db, found, { ...settings, expiry }, gateway.clock());
      return buildOkReply(await loadVectorStoreObject(gateway, caller, row));
    },
  }),

  defineOperation({
    id: 'deleteVectorStore',
    method: 'delete',
    path: '/vector_stores/{vector_store_id}',
    tag: 'OpenAI-compatible',
    summary: 'Delete a vector store',
    description: 'Deletes the datastore and its copies of files. Uploaded files stay.',
    scopes: ['manage'],
    params,
    responses: { 200: describeJsonResponse('The deleted vector store.', createObjectSchema(DeletedVectorStore)) },
    handle: async ({ gateway, caller, params: { vector_store_id: id } }) => {
      const datastore = await requireDatastore(gateway.db, caller, id);
      await removeDatastore(gateway, datastore);
      gateway.changes.publish({ kind: 'datastore', id });
      const deleted = { id: formatResourceId('vector store', id), object: 'vector_store.deleted' as const };
      return buildOkReply({ ...deleted, deleted: true });
    },
  }),
];

function buildStoreExpiry(expiresAfter: VectorStoreExpiry | undefined, { clock }: Pick<Gateway, 'clock'>) {
  return expiresAfter && buildExpiryColumns(expiresAfter.days, clock());
}

async function loadVectorStoreObject(
  { db }: Pick<Gateway, 'db'>,
  { organizationId }: Caller,
  row: DatastoreRow,
): Promise<VectorStoreObject> {
  const countFiles = await countVectorStoreFiles(db, organizationId, [row.id]);
  return buildVectorStoreObject(row, countFiles(row.id));
}

function buildVectorStoreObject(row: DatastoreRow, { bytes, numbers }: FileCounts): VectorStoreObject {
  return {
    id: formatResourceId('vector store', row.id),
    object: 'vector_store',
    created_at: toUnixTime(row.createdAt),
    name: row.name,
    description: row.description,
    usage_bytes: bytes,
    file_counts: numbers,
    status: row.expiredAt !== null ? 'expired' : numbers.in_progress > 0 ? 'in_progress' : 'completed',
    ...(row.expiryDays !== null && { expires_after: { anchor: 'last_active_at', days: row.expiryDays } }),
    expires_at: row.expiresAt && toUnixTime(row.expiresAt),
    last_active_at: toUnixTime(getLastUsedAt(row) ?? row.updatedAt),
    metadata: row.metadata,
  };
}
