import { MEDIA_TYPES } from '@quarry/file-types';
import { confirmBlobUse } from '../../../blobs/discarded-blobs.js';
import {
  describeUploadedFile,
  insertFile,
  listFiles,
  requireFile,
  type StoredContent,
} from '../../../files/file-repository.js';
import { removeFile } from '../../../files/remove-files.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { ORIGINAL_TYPES, buildOriginalReply } from '../../../http/build-original-reply.js';
import { buildOkReply } from '../../../http/reply.js';
import {
  createObjectSchema,
  describeBytesResponse,
  describeEmptyResponse,
  describeJsonResponse,
} from '../../../http/responses.js';
import { buildFileDocument } from '../../../uploads/file-document.js';
import {
  CreateFileFields,
  DeletedFile,
  FileListQuery,
  FileObject,
  MAX_EXPIRY_SECONDS,
  MAX_LISTED_FILES,
} from './file-shapes.js';
import { buildListPage, createListPageSchema, parseListWindow } from '../protocol/list-window.js';
import { describeOpenAiForm } from '../protocol/parameters.js';
import { formatResourceId, createIdParser } from '../protocol/resource-ids.js';
import { toUnixTime } from '../protocol/unix-time.js';

const MILLISECONDS = 1_000;

/** Lists the operations on files. */
export const FILE_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createFile',
    method: 'post',
    path: '/files',
    tag: 'OpenAI-compatible',
    summary: 'Upload a file',
    description: 'The file expires after 30 days at most. Add it to a vector store, which keeps a copy of it.',
    scopes: ['ingest'],
    body: describeOpenAiForm(CreateFileFields, { fileTypes: Object.values(MEDIA_TYPES) }),
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The file.', createObjectSchema(FileObject)) },
    handle: async ({ gateway, caller, body: { fields, file, newId }, runOnce }) => {
      const { name, mimeType, blobKey, size } = buildFileDocument({}, file, newId);
      const createdAt = gateway.clock();
      const seconds = fields.expires_after?.seconds ?? MAX_EXPIRY_SECONDS;
      const row = {
        ...{ id: newId, organizationId: caller.organizationId, keyId: caller.keyId },
        ...{ name, mimeType, size, blobKey, purpose: fields.purpose },
        ...{ createdAt, expiresAt: new Date(createdAt.getTime() + seconds * MILLISECONDS) },
      };
      return runOnce(async (tx) => {
        await insertFile(tx, row);
        await confirmBlobUse(tx, [blobKey]);
        return buildOkReply(buildFileObject(describeUploadedFile(row)));
      });
    },
  }),

  defineOperation({
    id: 'listFiles',
    method: 'get',
    path: '/files',
    tag: 'OpenAI-compatible',
    summary: 'List the uploaded files',
    description: 'Lists the files of `createFile`. The files of a vector store are in its own list.',
    scopes: ['manage', 'ingest'],
    query: FileListQuery,
    responses: { 200: describeJsonResponse('The files.', createListPageSchema(FileObject)) },
    handle: async ({ gateway: { db, clock }, caller, query: { purpose, ...query } }) => {
      const window = parseListWindow('file', { limit: MAX_LISTED_FILES, ...query });
      const found = await listFiles(db, caller, { purpose, window, now: clock() });
      return buildOkReply(buildListPage(found, (row) => buildFileObject(describeUploadedFile(row))));
    },
  }),

  defineOperation({
    id: 'retrieveFile',
    method: 'get',
    path: '/files/{file_id}',
    tag: 'OpenAI-compatible',
    summary: 'Get a file',
    description: 'Also finds the content of a datasource as `file-<id of the datasource>`, as citations name it.',
    scopes: ['manage', 'ingest'],
    params: { file_id: createIdParser('file') },
    responses: { 200: describeJsonResponse('The file.', createObjectSchema(FileObject)) },
    handle: async ({ gateway: { db, clock }, caller, params }) =>
      buildOkReply(buildFileObject(await requireFile(db, caller, params.file_id, clock()))),
  }),

  defineOperation({
    id: 'downloadFile',
    method: 'get',
    path: '/files/{file_id}/content',
    tag: 'OpenAI-compatible',
    summary: 'Download a file',
    scopes: ['manage', 'ingest'],
    params: { file_id: createIdParser('file') },
    responses: {
      200: describeBytesResponse('The bytes.', ORIGINAL_TYPES),
      206: describeBytesResponse('The requested range of the bytes.', ORIGINAL_TYPES),
      304: describeEmptyResponse('The client already has the current bytes, as `If-None-Match` states.'),
    },
    problems: ['no_original', 'range_not_satisfiable'],
    handle: async ({ gateway, caller, params, client }) =>
      buildOriginalReply(gateway, await requireFile(gateway.db, caller, params.file_id, gateway.clock()), client),
  }),

  defineOperation({
    id: 'deleteFile',
    method: 'delete',
    path: '/files/{file_id}',
    tag: 'OpenAI-compatible',
    summary: 'Delete a file',
    description: 'Also removes it from the vector stores that the key can access.',
    scopes: ['manage', 'ingest'],
    params: { file_id: createIdParser('file') },
    responses: { 200: describeJsonResponse('The deleted file.', createObjectSchema(DeletedFile)) },
    handle: async ({ gateway, caller, params: { file_id: id } }) => {
      await removeFile(gateway, caller, id);
      return buildOkReply({ id: formatResourceId('file', id), object: 'file' as const, deleted: true });
    },
  }),
];

/** Builds the file object of OpenAI's API. */
export function buildFileObject({ id, name, size, purpose, createdAt, expiresAt }: StoredContent): FileObject {
  return {
    id: formatResourceId('file', id),
    object: 'file',
    bytes: size,
    created_at: toUnixTime(createdAt),
    ...(expiresAt !== null && { expires_at: toUnixTime(expiresAt) }),
    filename: name,
    purpose,
    status: 'processed',
    status_details: null,
  };
}
