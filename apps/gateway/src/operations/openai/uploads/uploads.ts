import { parseContentType } from '@quarry/http-responses';
import { confirmBlobUse } from '../../../blobs/discarded-blobs.js';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { newId } from '../../../database/id.js';
import type { UploadRow } from '../../../database/tables/uploads.js';
import { completeUpload } from '../../../files/complete-upload.js';
import { describeUploadedFile } from '../../../files/file-repository.js';
import {
  endUpload,
  insertUploadPart,
  insertUpload,
  lockPendingUpload,
  measureUploadParts,
} from '../../../files/upload-repository.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { problem } from '../../../problems.js';
import { type FileObject, MAX_EXPIRY_SECONDS } from '../files/file-shapes.js';
import { buildFileObject } from '../files/files.js';
import { describeOpenAiBody, describeOpenAiForm } from '../protocol/parameters.js';
import { formatResourceId, parseIdField, createIdParser } from '../protocol/resource-ids.js';
import { toUnixTime } from '../protocol/unix-time.js';
import {
  CompleteUploadRequest,
  CreateUploadRequest,
  MAX_PARTS,
  UploadObject,
  UploadPartFields,
  UploadPartObject,
} from './upload-shapes.js';

const HOUR_MS = 3_600_000;
/**
 * Maximum ratio of the bytes of all parts to the size of the file. The ratio may exceed 1, because clients send a part
 * again if they did not receive the response.
 */
const MAX_REPETITIONS = 2;

const params = { upload_id: createIdParser('upload') };

/** Lists the operations on files that are uploaded in parts. */
export const UPLOAD_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createUpload',
    method: 'post',
    path: '/uploads',
    tag: 'OpenAI-compatible',
    summary: 'Begin an upload in parts',
    description: 'Add the parts and complete the upload within an hour.',
    scopes: ['ingest'],
    body: describeOpenAiBody(CreateUploadRequest, {
      inert: {},
      check: ({ bytes }, { limits: { fileBytes } }) => {
        if (bytes > fileBytes) throw createFieldProblem('bytes', `must be at most ${fileBytes}, found ${bytes}`);
      },
    }),
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The upload.', createObjectSchema(UploadObject)) },
    handle: async ({ gateway, caller, body, runOnce }) => {
      const createdAt = gateway.clock();
      const row: UploadRow = {
        ...{ id: newId(), organizationId: caller.organizationId, keyId: caller.keyId, status: 'pending' },
        ...{ name: body.filename, mimeType: parseContentType(body.mime_type).mediaType },
        ...{ size: body.bytes, purpose: body.purpose },
        ...{ fileSeconds: body.expires_after?.seconds ?? MAX_EXPIRY_SECONDS },
        ...{ createdAt, expiresAt: new Date(createdAt.getTime() + HOUR_MS) },
      };
      return runOnce(async (tx) => {
        await insertUpload(tx, row);
        return buildOkReply(buildUploadObject(row));
      });
    },
  }),

  defineOperation({
    id: 'addUploadPart',
    method: 'post',
    path: '/uploads/{upload_id}/parts',
    tag: 'OpenAI-compatible',
    summary: 'Add a part to an upload',
    scopes: ['ingest'],
    params,
    body: describeOpenAiForm(UploadPartFields, { fileTypes: ['application/octet-stream'], fileField: 'data' }),
    idempotency: 'transaction',
    responses: { 200: describeJsonResponse('The part.', createObjectSchema(UploadPartObject)) },
    handle: async ({ gateway, caller, params: { upload_id: uploadId }, body: { file, newId: id }, runOnce }) => {
      if (file === undefined) throw createFieldProblem('data', 'must contain the bytes of the part, found none');
      const { blobKey, size } = file;
      const createdAt = gateway.clock();
      return runOnce(async (tx) => {
        const upload = await lockPendingUpload(tx, caller, uploadId, createdAt);
        const { parts, bytes } = await measureUploadParts(tx, uploadId);
        requireRoomForPart({ parts: parts + 1, bytes: bytes + size }, MAX_REPETITIONS * upload.size);
        await insertUploadPart(tx, { id, uploadId, size, blobKey, createdAt });
        await confirmBlobUse(tx, [blobKey]);
        return buildOkReply({
          ...{ id: formatResourceId('upload part', id), object: 'upload.part' as const },
          ...{ created_at: toUnixTime(createdAt), upload_id: formatResourceId('upload', uploadId) },
        });
      });
    },
  }),

  defineOperation({
    id: 'completeUpload',
    method: 'post',
    path: '/uploads/{upload_id}/complete',
    tag: 'OpenAI-compatible',
    summary: 'Complete an upload',
    description: 'Joins the parts to a file, as `createFile` would have received it.',
    scopes: ['ingest'],
    params,
    body: describeOpenAiBody(CompleteUploadRequest, { inert: {} }),
    responses: { 200: describeJsonResponse('The upload, with its file.', createObjectSchema(UploadObject)) },
    problems: ['file_empty', 'unsupported_media_type'],
    handle: async ({ gateway, caller, params: { upload_id: uploadId }, body: { part_ids: ids, md5 } }) => {
      const partIds = ids.map((id, at) => parseIdField('upload part', `part_ids.${at}`, id));
      const { upload, file } = await completeUpload(gateway, caller, { uploadId, partIds, md5 });
      return buildOkReply(buildUploadObject(upload, buildFileObject(describeUploadedFile(file))));
    },
  }),

  defineOperation({
    id: 'cancelUpload',
    method: 'post',
    path: '/uploads/{upload_id}/cancel',
    tag: 'OpenAI-compatible',
    summary: 'Cancel an upload',
    scopes: ['ingest'],
    params,
    responses: { 200: describeJsonResponse('The upload.', createObjectSchema(UploadObject)) },
    handle: async ({ gateway: { db, clock }, caller, params: { upload_id: id } }) => {
      const now = clock();
      const upload = await db.transaction(async (tx) => {
        const row = await lockPendingUpload(tx, caller, id, now);
        await endUpload(tx, row, 'cancelled', now);
        return row;
      });
      return buildOkReply(buildUploadObject({ ...upload, status: 'cancelled' }));
    },
  }),
];

/**
 * Refuses a part with which an upload would exceed its maximum number of bytes or parts.
 *
 * @throws Problem 413 for too many bytes, 400 for too many parts
 */
function requireRoomForPart(
  { parts, bytes }: { readonly parts: number; readonly bytes: number },
  maxBytes: number,
): void {
  if (bytes > maxBytes)
    throw problem(
      'file_too_large',
      `The parts of the upload must have at most ${maxBytes} bytes in total, found ${bytes}.`,
    );
  if (parts > MAX_PARTS)
    throw createFieldProblem(
      'data',
      `must not be added, because an upload has at most ${MAX_PARTS} parts and this upload has reached the limit`,
    );
}

function buildUploadObject(upload: UploadRow, file?: FileObject): UploadObject {
  const { id, createdAt, name, size, purpose, status, expiresAt } = upload;
  return {
    ...{ id: formatResourceId('upload', id), object: 'upload', created_at: toUnixTime(createdAt) },
    ...{ filename: name, bytes: size, purpose, status, expires_at: toUnixTime(expiresAt) },
    ...(file !== undefined && { file }),
  };
}
