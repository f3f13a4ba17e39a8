import { cleanJson } from '@quarry/queue';
import { Problem } from '@quarry/service-kit';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { refusalOf } from '../uploads/media-types.js';
import type { StoredFile } from '../uploads/store-file.js';
import { blobStorageEngine, type Destination } from './blob-storage-engine.js';

/** The parts of a form: its fields, and the file in its field `file`, which is in the blob store. */
export interface FormParts {
  readonly fields: unknown;
  readonly file: StoredFile | undefined;
}

type Needed = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock' | 'limits'>;

/** What comes beside the file, and the form's own boundaries, at most. */
const FORM_BYTES = 1_048_576;
const FORM_LIMITS = { files: 1, fields: 20, fieldSize: 65_536, fieldNameSize: 100, parts: 24, fieldNestingDepth: 0 };

/** Receives a form, and streams its file into the blob store. @throws Problem; nothing of the file is kept then */
export async function receiveForm(
  needed: Needed,
  destination: Omit<Destination, 'stored' | 'failed'>,
  request: Request,
  response: Response,
): Promise<FormParts> {
  const maxBytes = needed.limits.fileBytes;
  if (sizeOf(request) > maxBytes + FORM_BYTES) throw tooLarge(request, maxBytes);
  let file: StoredFile | undefined;
  let failure: unknown;
  const storage = blobStorageEngine(needed, {
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
      else reject(failure instanceof Error ? failure : asProblem(error, request, maxBytes));
    });
  });
  const fields: unknown = request.body;
  if (fields === undefined) {
    // The parser leaves alone what it does not take for a form.
    const type = request.get('content-type') ?? 'none';
    throw problem('malformed_request', `A form needs a content type with its boundary, found ${type}.`);
  }
  return { fields: cleanJson(fields), file };
}

const fileFilter: NonNullable<multer.Options['fileFilter']> = (_request, { mimetype }, decide) => {
  const refusal = refusalOf(mimetype);
  if (refusal === undefined) decide(null, true);
  else decide(refusal);
};

function asProblem(error: unknown, request: Request, maxBytes: number): Error {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Error('a form could not be received', { cause: error });
  if (!(error instanceof multer.MulterError)) {
    return problem('malformed_request', `The form cannot be read: ${error.message}.`, { cause: error });
  }
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge(request, maxBytes, error);
  if (error.code === 'LIMIT_UNEXPECTED_FILE') {
    const detail = `The form may hold one file, in the field file; found another in the field ${error.field ?? ''}.`;
    return problem('malformed_request', detail, { cause: error });
  }
  return problem('malformed_request', `The form is refused: ${error.message} (${error.field ?? 'form'}).`, {
    cause: error,
  });
}

function tooLarge(request: Request, maxBytes: number, cause?: Error): Problem {
  const size = sizeOf(request);
  const found = size > 0 ? `a form of ${size} bytes` : 'more';
  return problem('file_too_large', `A file may have ${maxBytes} bytes, found ${found}.`, { cause });
}

/** 0 when the client does not say. */
function sizeOf(request: Request): number {
  return Number(request.get('content-length') ?? 0);
}
