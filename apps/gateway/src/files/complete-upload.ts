import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Caller } from '../access/caller.js';
import { confirmBlobUse, reserveBlobs } from '../blobs/discarded-blobs.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { newId } from '../database/id.js';
import type { FileRow } from '../database/tables/files.js';
import type { UploadPartRow, UploadRow } from '../database/tables/uploads.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { buildFileDocument } from '../uploads/file-document.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import { createBlobKey, FileInterrupted, storeUploadedFile } from '../uploads/store-uploaded-file.js';
import { insertFile } from './file-repository.js';
import { endUpload, lockPendingUpload, requireUploadParts, requireUpload } from './upload-repository.js';

type UploadStores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>;
const MILLISECONDS = 1_000;

/** Lists the parts of an upload that make up the file. */
export interface Completion {
  readonly uploadId: string;
  /** The ids of the parts, in the order in which their bytes are joined. */
  readonly partIds: readonly string[];
  /** The MD5 that the complete file must have, in hexadecimal. Undefined: it is not checked. */
  readonly md5: string | undefined;
}

/**
 * Joins the parts of an upload to a file, and ends the upload. Only one of several concurrent completions succeeds.
 *
 * @throws Problem 404 for an unknown upload; 400 if the parts do not have the declared size or MD5; 415 for content of
 *   an unsupported type; 503 if a part cannot be read
 */
export async function completeUpload(
  stores: UploadStores,
  caller: Caller,
  { uploadId, partIds, md5 }: Completion,
): Promise<{ readonly upload: UploadRow; readonly file: FileRow }> {
  const { db, clock } = stores;
  const now = clock();
  const upload = await requireUpload(db, caller, uploadId, now);
  const parts = await requireUploadParts(db, upload, partIds);
  const id = newId();
  const blobKey = createBlobKey(caller.organizationId, undefined, id);
  await reserveBlobs(db, caller.organizationId, [blobKey], now);
  try {
    const file = await joinPartsToFile(stores, upload, { parts, blobKey, md5, id, now });
    await db.transaction(async (tx) => {
      await lockPendingUpload(tx, caller, uploadId, now);
      await insertFile(tx, file);
      await confirmBlobUse(tx, [blobKey]);
      await endUpload(tx, upload, 'completed', now);
    });
    return { upload: { ...upload, status: 'completed' }, file };
  } catch (error) {
    await releaseBlobs(stores, [blobKey]);
    if (!(error instanceof FileInterrupted)) throw error;
    // If another request has completed or cancelled the upload in the meantime, its parts were removed. In this case,
    // this call throws the problem that describes the state of the upload.
    await requireUpload(db, caller, uploadId, now);
    const detail = 'The blob store failed to read the parts. The upload is unchanged. Retry later.';
    throw problem('dependency_unavailable', detail, { cause: error });
  }
}

interface PartsToJoin {
  readonly parts: readonly UploadPartRow[];
  readonly blobKey: string;
  readonly md5: string | undefined;
  readonly id: string;
  readonly now: Date;
}

async function joinPartsToFile(
  stores: UploadStores,
  upload: UploadRow,
  { parts, md5, ...file }: PartsToJoin,
): Promise<FileRow> {
  const hash = createHash('md5');
  const content = Readable.from(
    (async function* () {
      for (const { blobKey } of parts)
        for await (const chunk of (await stores.blobs.read(blobKey)) as AsyncIterable<Buffer>) {
          // The chunks are buffers, because the stream has no encoding.
          hash.update(chunk);
          yield chunk;
        }
    })(),
    { objectMode: false },
  );
  const incoming = { content, name: upload.name, declaredType: upload.mimeType };
  const stored = await storeUploadedFile(stores, async () => Promise.resolve(file.blobKey), incoming).finally(() => {
    content.destroy();
  });
  const found = hash.digest('hex');
  if (md5 !== undefined && md5.toLowerCase() !== found)
    throw createFieldProblem('md5', `must be the MD5 of the joined parts, which is ${found}`);
  const { name, mimeType, size } = buildFileDocument({}, stored, file.id);
  const { organizationId, keyId, purpose, fileSeconds } = upload;
  const expiresAt = new Date(file.now.getTime() + fileSeconds * MILLISECONDS);
  return {
    ...{ id: file.id, organizationId, keyId, name, mimeType, size, purpose },
    ...{ blobKey: file.blobKey, createdAt: file.now, expiresAt },
  };
}
