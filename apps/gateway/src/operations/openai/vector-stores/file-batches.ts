import { newId, getIdTime } from '../../../database/id.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { withCopiedFiles } from '../../../vector-stores/attach-files.js';
import { cancelFileBatch } from '../../../vector-stores/cancel-file-batch.js';
import { storeFileBatch } from '../../../vector-stores/file-batches.js';
import {
  countBatchFiles,
  type FileCounts,
  type FileStatus,
  listVectorStoreFiles,
} from '../../../vector-stores/vector-store-files.js';
import { CreateFileBatchRequest, FileBatchObject, listBatchFiles } from './file-batch-shapes.js';
import { findVectorStore, requireSameChunkingStrategy } from './find-vector-store.js';
import { buildListPage, createListPageSchema, parseListWindow } from '../protocol/list-window.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { requireAttachableFiles } from './require-attachable-files.js';
import { formatResourceId, createIdParser } from '../protocol/resource-ids.js';
import { toUnixTime } from '../protocol/unix-time.js';
import { VectorStoreFileListQuery, VectorStoreFileObject } from './vector-store-file-shapes.js';
import { buildVectorStoreFileObject } from './vector-store-file-view.js';

const params = { vector_store_id: createIdParser('vector store'), batch_id: createIdParser('file batch') };

/** Lists the operations on batches of files. A batch contains the datasources that one request has added. */
export const FILE_BATCH_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createVectorStoreFileBatch',
    method: 'post',
    path: '/vector_stores/{vector_store_id}/file_batches',
    tag: 'OpenAI-compatible',
    summary: 'Add several files to a vector store',
    description: 'Applies to all files or to none. A file that the vector store already has is replaced.',
    scopes: ['ingest'],
    params: { vector_store_id: createIdParser('vector store') },
    body: describeOpenAiBody(CreateFileBatchRequest, { inert: {} }),
    idempotency: 'staged',
    responses: { 200: describeJsonResponse('The batch.', createObjectSchema(FileBatchObject)) },
    problems: ['no_original'],
    find: findVectorStore,
    handle: async ({ gateway, caller, found: datastore, body, runOnce }) => {
      const listed = listBatchFiles(body);
      for (const { chunking_strategy: strategy } of listed) requireSameChunkingStrategy(datastore, strategy);
      const files = await requireAttachableFiles(
        gateway,
        caller,
        listed,
        body.files === undefined ? 'file_ids' : 'files',
      );
      const destination = { organizationId: caller.organizationId, datastoreId: datastore.id };
      return withCopiedFiles(gateway, destination, files, async (save) =>
        runOnce(async (tx) => {
          const batchId = newId();
          const saved = await save(tx, datastore, batchId);
          const datasourceIds = saved.map(({ datasource }) => datasource.id);
          await storeFileBatch(tx, datastore, { id: batchId, datasourceIds }, gateway.clock());
          return buildOkReply(
            buildFileBatchObject(datastore.id, batchId, await countBatchFiles(tx, datastore, batchId)),
          );
        }),
      );
    },
  }),

  defineOperation({
    id: 'retrieveVectorStoreFileBatch',
    method: 'get',
    path: '/vector_stores/{vector_store_id}/file_batches/{batch_id}',
    tag: 'OpenAI-compatible',
    summary: 'Get a batch of files',
    description:
      'The counts include files that a later request has added again. A batch exists for 30 days. Afterwards it exists while the vector store has a file that this batch was the last to add.',
    scopes: ['manage', 'ingest'],
    params,
    responses: { 200: describeJsonResponse('The batch.', createObjectSchema(FileBatchObject)) },
    find: findVectorStore,
    handle: async ({ gateway: { db }, found: datastore, params: { batch_id: id } }) =>
      buildOkReply(buildFileBatchObject(datastore.id, id, await countBatchFiles(db, datastore, id))),
  }),

  defineOperation({
    id: 'cancelVectorStoreFileBatch',
    method: 'post',
    path: '/vector_stores/{vector_store_id}/file_batches/{batch_id}/cancel',
    tag: 'OpenAI-compatible',
    summary: 'Cancel a batch of files',
    description:
      'Cancels the files that are in progress, except those that a later request has added again. All other files stay in the vector store unchanged.',
    scopes: ['manage', 'ingest'],
    params,
    responses: { 200: describeJsonResponse('The batch.', createObjectSchema(FileBatchObject)) },
    find: findVectorStore,
    handle: async ({ gateway, found: datastore, params: { batch_id: id } }) => {
      await cancelFileBatch(gateway, datastore, id);
      return buildOkReply(buildFileBatchObject(datastore.id, id, await countBatchFiles(gateway.db, datastore, id)));
    },
  }),

  defineOperation({
    id: 'listFilesInVectorStoreBatch',
    method: 'get',
    path: '/vector_stores/{vector_store_id}/file_batches/{batch_id}/files',
    tag: 'OpenAI-compatible',
    summary: 'List the files of a batch',
    scopes: ['manage', 'ingest'],
    params,
    query: VectorStoreFileListQuery,
    responses: { 200: describeJsonResponse('The files.', createListPageSchema(VectorStoreFileObject)) },
    find: findVectorStore,
    handle: async ({ gateway: { db }, found: datastore, params: { batch_id: batchId }, query }) => {
      await countBatchFiles(db, datastore, batchId);
      const { filter: status, ...window } = query;
      const rows = await listVectorStoreFiles(db, datastore, { status, batchId }, parseListWindow('file', window));
      return buildOkReply(buildListPage(rows, (row) => buildVectorStoreFileObject(datastore, row)));
    },
  }),
];

function buildFileBatchObject(datastoreId: string, batchId: string, { numbers }: FileCounts): FileBatchObject {
  return {
    id: formatResourceId('file batch', batchId),
    object: 'vector_store.files_batch',
    created_at: toUnixTime(new Date(getIdTime(batchId))),
    vector_store_id: formatResourceId('vector store', datastoreId),
    status: getBatchStatus(numbers),
    file_counts: numbers,
  };
}

function getBatchStatus({
  in_progress: inProgress,
  cancelled,
  failed,
  total,
}: FileBatchObject['file_counts']): FileStatus {
  if (inProgress > 0) return 'in_progress';
  if (cancelled > 0) return 'cancelled';
  return failed === total && total > 0 ? 'failed' : 'completed';
}
