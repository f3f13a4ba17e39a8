import { removeDatasource } from '../../../datasources/remove-datasource.js';
import { requireDatasource } from '../../../datasources/datasource-repository.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { describeJsonBody } from '../../../http/request-body.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { withCopiedFiles } from '../../../vector-stores/attach-files.js';
import { updateFileAttributes } from '../../../vector-stores/update-file-attributes.js';
import { listVectorStoreFiles, requireVectorStoreFile } from '../../../vector-stores/vector-store-files.js';
import { buildFileContentReply } from './file-content.js';
import { findVectorStore, requireSameChunkingStrategy } from './find-vector-store.js';
import { buildListPage, createListPageSchema, parseListWindow } from '../protocol/list-window.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { requireAttachableFiles } from './require-attachable-files.js';
import { formatResourceId, createIdParser } from '../protocol/resource-ids.js';
import {
  CreateVectorStoreFileRequest,
  DeletedVectorStoreFile,
  UpdateVectorStoreFileRequest,
  VectorStoreFileContent,
  VectorStoreFileListQuery,
  VectorStoreFileObject,
} from './vector-store-file-shapes.js';
import { buildVectorStoreFileObject } from './vector-store-file-view.js';

const storeParams = { vector_store_id: createIdParser('vector store') };
const fileParams = { ...storeParams, file_id: createIdParser('file') };

/** Lists the operations on the files of vector stores. Such a file is a datasource. */
export const VECTOR_STORE_FILE_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createVectorStoreFile',
    method: 'post',
    path: '/vector_stores/{vector_store_id}/files',
    tag: 'OpenAI-compatible',
    summary: 'Add a file to a vector store',
    description:
      'Copies the file to a datasource and indexes it. A file that the vector store already has is replaced, with its attributes.',
    scopes: ['ingest'],
    params: storeParams,
    body: describeOpenAiBody(CreateVectorStoreFileRequest, { inert: {} }),
    idempotency: 'staged',
    responses: { 200: describeJsonResponse('The file.', createObjectSchema(VectorStoreFileObject)) },
    problems: ['no_original'],
    find: findVectorStore,
    handle: async ({ gateway, caller, found: datastore, body, runOnce }) => {
      requireSameChunkingStrategy(datastore, body.chunking_strategy);
      const files = await requireAttachableFiles(gateway, caller, [body], 'file_id');
      const destination = { organizationId: caller.organizationId, datastoreId: datastore.id };
      return withCopiedFiles(gateway, destination, files, async (save) =>
        runOnce(async (tx) => {
          const [saved] = await save(tx, datastore);
          if (saved === undefined) throw new Error(`expected a datasource for the file ${body.file_id}, found none`);
          return buildOkReply(buildVectorStoreFileObject(datastore, saved));
        }),
      );
    },
  }),

  defineOperation({
    id: 'listVectorStoreFiles',
    method: 'get',
    path: '/vector_stores/{vector_store_id}/files',
    tag: 'OpenAI-compatible',
    summary: 'List the files of a vector store',
    description: 'Lists all datasources of the datastore, including web sites and item listings.',
    scopes: ['manage', 'ingest'],
    params: storeParams,
    query: VectorStoreFileListQuery,
    responses: { 200: describeJsonResponse('The files.', createListPageSchema(VectorStoreFileObject)) },
    find: findVectorStore,
    handle: async ({ gateway: { db }, found: datastore, query: { filter: status, ...query } }) => {
      const rows = await listVectorStoreFiles(db, datastore, { status }, parseListWindow('file', query));
      return buildOkReply(buildListPage(rows, (row) => buildVectorStoreFileObject(datastore, row)));
    },
  }),

  defineOperation({
    id: 'retrieveVectorStoreFile',
    method: 'get',
    path: '/vector_stores/{vector_store_id}/files/{file_id}',
    tag: 'OpenAI-compatible',
    summary: 'Get a file of a vector store',
    scopes: ['manage', 'ingest'],
    params: fileParams,
    responses: { 200: describeJsonResponse('The file.', createObjectSchema(VectorStoreFileObject)) },
    find: findVectorStore,
    handle: async ({ gateway: { db }, found: datastore, params: { file_id: id } }) =>
      buildOkReply(buildVectorStoreFileObject(datastore, await requireVectorStoreFile(db, datastore, id))),
  }),

  defineOperation({
    id: 'updateVectorStoreFile',
    method: 'post',
    path: '/vector_stores/{vector_store_id}/files/{file_id}',
    tag: 'OpenAI-compatible',
    summary: 'Replace the attributes of a file',
    description: 'The file is indexed again, and searches use its new attributes when its status is `completed`.',
    scopes: ['ingest'],
    params: fileParams,
    body: describeJsonBody(UpdateVectorStoreFileRequest, { unknownFields: 'refuse' }),
    responses: { 200: describeJsonResponse('The file.', createObjectSchema(VectorStoreFileObject)) },
    find: findVectorStore,
    handle: async ({ gateway, found: datastore, params: { file_id: id }, body }) => {
      const { datasource } = await requireVectorStoreFile(gateway.db, datastore, id);
      await updateFileAttributes(gateway, datasource, body.attributes ?? {});
      return buildOkReply(
        buildVectorStoreFileObject(datastore, await requireVectorStoreFile(gateway.db, datastore, id)),
      );
    },
  }),

  defineOperation({
    id: 'deleteVectorStoreFile',
    method: 'delete',
    path: '/vector_stores/{vector_store_id}/files/{file_id}',
    tag: 'OpenAI-compatible',
    summary: 'Remove a file from a vector store',
    description: 'Deletes the datasource. An uploaded file stays.',
    scopes: ['manage', 'ingest'],
    params: fileParams,
    responses: { 200: describeJsonResponse('The removed file.', createObjectSchema(DeletedVectorStoreFile)) },
    find: findVectorStore,
    handle: async ({ gateway, found: datastore, params: { file_id: id } }) => {
      const { datasource } = await requireVectorStoreFile(gateway.db, datastore, id);
      await removeDatasource(gateway.db, datastore.organizationId, datasource.id, gateway.clock());
      gateway.outboxWritten.wake();
      gateway.changes.publish({ kind: 'removed', id: datasource.id, datastoreId: datastore.id });
      const removed = { id: formatResourceId('file', id), object: 'vector_store.file.deleted' as const };
      return buildOkReply({ ...removed, deleted: true });
    },
  }),

  defineOperation({
    id: 'retrieveVectorStoreFileContent',
    method: 'get',
    path: '/vector_stores/{vector_store_id}/files/{file_id}/content',
    tag: 'OpenAI-compatible',
    summary: 'Get the text of a file',
    description: 'Returns all fragments of the indexed text.',
    scopes: ['manage', 'ingest'],
    params: fileParams,
    responses: { 200: describeJsonResponse('The text.', createObjectSchema(VectorStoreFileContent)) },
    find: findVectorStore,
    handle: async ({ gateway, caller, found: datastore, params: { file_id: id }, signal }) => {
      const { datasource } = await requireVectorStoreFile(gateway.db, datastore, id);
      const found = await requireDatasource(gateway.db, caller, datasource.id);
      return buildFileContentReply(gateway, caller, { found, signal });
    },
  }),
];
