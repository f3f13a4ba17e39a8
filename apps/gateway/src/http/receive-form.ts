import { cleanJson } from '@quarry/queue';
import { Problem } from '@quarry/service-kit';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { checkDeclaredType } from '../uploads/media-types.js';
import type { StoredFile } from '../uploads/store-file.js';
import { createBlobStorageEngine, type Destination } from './blob-storage-engine.js';

/** The parts of a received form: its fields, and the file of its field `file`, which is stored in the blob store. */
export interface FormParts {
  readonly fields: unknown;
  readonly file: StoredFile | undefined;
}

type FormStores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock' | 'limits'>;

/** Maximum size of the form without its file. */
const FORM_BYTES = 1_048_576;
const FORM_LIMITS = { files: 1, fields: 20, fieldSize: 65_536, fieldNameSize: 100, parts: 24, fieldNestingDepth: 0 };

/** Receives a form, and streams its file into the blob store. @throws Problem after removing the stored bytes */
export async function receiveForm(
  stores: FormStores,
  destination: Omit<Destination, 'stored' | 'failed'>,
  request: Request,
  response: Response,
): Promise<FormParts> {
  const maxBytes = stores.limits.fileBytes;
  if (getDeclaredSize(request) > maxBytes + FORM_BYTES) throw createTooLarge(request, maxBytes);
  let file: StoredFile | undefined;
  let failure: unknown;
  const storage = createBlobStorageEngine(stores, {
    ...destination,
    stored: (received) => (file = received),
    failed: (error) => (failure = error),
  });
  const receive = multer({
    storage,
    limits: { ...FORM_LIMITS, fileSize: maxBytes },
    defParamCharset: 'utf8',
    fileFilter,
  }).single('file');
  await new Promise<void>((resolve, reject) => {
    void receive(request, response, (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(failure instanceof Error ? failure : toProblem(error, request, maxBytes));
    });
  });
  const fields: unknown = request.body;
  if (fields === undefined) {
    // multer ignores a request that it does not recognize as a form.
    const type = request.get('content-type') ?? 'none';
    throw problem('malformed_request', `A form needs a content type with a boundary; found ${type}.`);
  }
  return { fields: cleanJson(fields), file };
}

const fileFilter: NonNullable<multer.Options['fileFilter']> = (_request, { mimetype }, decide) => {
  const refusal = checkDeclaredType(mimetype);
  if (refusal === undefined) decide(null, true);
  else decide(refusal);
};

function toProblem(error: unknown, request: Request, maxBytes: number): Error {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Error('failed to receive a form', { cause: error });
  if (!(error instanceof multer.MulterError)) {
    return problem('malformed_request', `The form cannot be parsed: ${error.message}.`, { cause: error });
  }
  if (error.code === 'LIMIT_FILE_SIZE') return createTooLarge(request, maxBytes, error);
  if (error.code === 'LIMIT_UNEXPECTED_FILE') {
    const detail = `A form can contain one file, in the field file; found another file in the field ${error.field ?? ''}.`;
    return problem('malformed_request', detail, { cause: error });
  }
  return problem('malformed_request', `The form exceeds a limit: ${error.message} (${error.field ?? 'form'}).`, {
    cause: error,
  });
}

function createTooLarge(request: Request, maxBytes: number, cause?: Error): Problem {
  const size = getDeclaredSize(request);
  const found = size > 0 ? `a form of ${size} bytes` : 'a larger file';
  return problem('file_too_large', `The maximum file size is ${maxBytes} bytes; found ${found}.`, { cause });
}

/** Returns the declared size of a request, or 0 without one. */
function getDeclaredSize(request: Request): number {
  return Number(request.get('content-length') ?? 0);
}
