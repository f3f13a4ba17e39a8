import { AsyncLocalStorage } from 'node:async_hooks';
import { cleanJson } from '@quarry/queue';
import { Problem } from '@quarry/service-kit';
import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { newId } from '../database/id.js';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { reserveUploadBlob } from '../uploads/file-document.js';
import { releaseBlobs } from '../uploads/release-blobs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import {
  createBlobKey,
  FileInterrupted,
  type StoredFile,
  storeUploadedFile,
  type UploadStores,
} from '../uploads/store-uploaded-file.js';
import type { Exchange } from './exchange.js';
import type { Reply } from './reply.js';
import { type FormBody, ReceivedForm } from './request-body.js';

/**
 * Receives a form, stores its file in the blob store, and passes the parsed form to a handler. Removes the stored file
 * if the handler fails or replays a stored response.
 *
 * @param handle receives the parsed form, and the content that must be equal in repeated requests with the same
 *   `Idempotency-Key`
 * @throws Problem, after the stored file was removed
 */
export async function receiveUpload<Value>(
  { gateway, caller, request, response }: Exchange,
  { findDatastoreId, parse, hasNestedFields, fileField }: FormBody<Value>,
  params: Readonly<Record<string, string>>,
  handle: (form: Value, content: unknown) => Promise<Reply>,
): Promise<Reply> {
  const id = newId();
  let datastore: DatastoreRow | undefined;
  const reserveBlob = async (fields: Readonly<Record<string, unknown>>): Promise<string> => {
    const datastoreId = findDatastoreId({ fields, params });
    const blobKey = createBlobKey(caller.organizationId, datastoreId, id);
    if (datastoreId === undefined) {
      await reserveBlobs(gateway.db, caller.organizationId, [blobKey], gateway.clock());
    } else {
      datastore = await reserveUploadBlob(gateway, caller, datastoreId, blobKey);
    }
    return blobKey;
  };
  const parts = await receiveForm(gateway, { reserveBlob, hasNestedFields, fileField }, request, response);
  let isCreated = false;
  try {
    const form = parse(new ReceivedForm({ ...parts, datastore, newId: id }));
    const reply = await handle(form, buildComparableContent(parts));
    isCreated = reply.isReplayed !== true;
    return reply;
  } finally {
    if (parts.file !== undefined && !isCreated) await releaseBlobs(gateway, [parts.file.blobKey]);
  }
}

/**
 * Returns those parts of a form that must be equal in a repeated request: the fields, and the name, type and hash of
 * the file. The bytes of a repeated form can differ in the boundaries between its parts.
 */
function buildComparableContent({ fields, file }: FormParts): unknown {
  if (file === undefined) return [fields];
  const { name, declaredType, sha256 } = file;
  return [fields, { name, declaredType, sha256 }];
}

/** Contains the fields of a received form, and its file, which is stored in the blob store. */
interface FormParts {
  readonly fields: unknown;
  readonly file: StoredFile | undefined;
}

type FormStores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock' | 'limits'>;

/** Maximum size of an uploaded form without its file, in bytes. */
const MAX_FORM_BYTES = 1_048_576;
const FORM_LIMITS = { files: 1, fields: 20, fieldSize: 65_536, fieldNameSize: 100, parts: 24 };

interface ExpectedForm extends Pick<Destination, 'reserveBlob'> {
  readonly hasNestedFields?: true | undefined;
  readonly fileField?: string | undefined;
}

/** Receives a form, and streams its file into the blob store. @throws Problem, after the stored file was removed */
export async function receiveForm(
  stores: FormStores,
  { hasNestedFields, fileField = 'file', ...destination }: ExpectedForm,
  request: Request,
  response: Response,
): Promise<FormParts> {
  const maxBytes = stores.limits.fileBytes;
  if (getDeclaredSize(request) > maxBytes + MAX_FORM_BYTES) throw createTooLargeProblem(request, maxBytes);
  let file: StoredFile | undefined;
  let failure: unknown;
  const storage = createBlobStorageEngine(stores, {
    ...destination,
    onStored: (received) => (file = received),
    onFailed: (error) => (failure = error),
  });
  const receive = multer({
    storage,
    limits: { ...FORM_LIMITS, fieldNestingDepth: hasNestedFields === true ? 1 : 0, fileSize: maxBytes },
    defParamCharset: 'utf8',
  }).single(fileField);
  await new Promise<void>((resolve, reject) => {
    void receive(request, response, (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(failure instanceof Error ? failure : translateUploadError(error, { request, fileField, maxBytes }));
    });
  });
  const fields: unknown = request.body;
  if (fields === undefined) {
    // The library multer parses nothing if it does not recognize the content type of a form.
    const type = request.get('content-type') ?? 'none';
    throw problem('malformed_request', `A form needs a content type with a boundary; found ${type}.`);
  }
  const refusal = findLongListProblem(fields);
  if (refusal !== undefined) {
    if (file !== undefined) await releaseBlobs(stores, [file.blobKey]);
    throw refusal;
  }
  return { fields: cleanJson(fields), file };
}

/**
 * Returns a problem if a field has a list of more than 20 elements. A field name such as `a[4000000000]` creates such a
 * list, and reading the empty elements of the list would take minutes.
 */
function findLongListProblem(fields: unknown): Problem | undefined {
  const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > FORM_LIMITS.fields;
  const found = Object.entries(toRecord(fields)).find(([, value]) => isLong(value));
  const expected = `${FORM_LIMITS.fields} values at most`;
  return (
    found && problem('malformed_request', `The field ${found[0]} of a form can have ${expected}; found a longer list.`)
  );
}

/** Translates an error that multer reported while it received a form to a problem for the client. */
function translateUploadError(
  error: unknown,
  {
    request,
    fileField,
    maxBytes,
  }: { readonly request: Request; readonly fileField: string; readonly maxBytes: number },
): Error {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Error('failed to receive a form', { cause: error });
  if (!(error instanceof multer.MulterError)) {
    return problem('malformed_request', `The form cannot be parsed: ${error.message}.`, { cause: error });
  }
  if (error.code === 'LIMIT_FILE_SIZE') return createTooLargeProblem(request, maxBytes, error);
  if (error.code === 'LIMIT_FILE_COUNT' || error.code === 'LIMIT_UNEXPECTED_FILE') {
    const found = error.code === 'LIMIT_FILE_COUNT' ? 'a second file' : `a file in the field ${error.field ?? ''}`;
    const detail = `A form can contain one file, in the field ${fileField}; found ${found}.`;
    return problem('malformed_request', detail, { cause: error });
  }
  return problem('malformed_request', `The form exceeds a limit: ${error.message} (${error.field ?? 'form'}).`, {
    cause: error,
  });
}

function createTooLargeProblem(request: Request, maxBytes: number, cause?: Error): Problem {
  const size = getDeclaredSize(request);
  const found = size > 0 ? `a form of ${size} bytes` : 'a larger file';
  return problem('file_too_large', `The maximum file size is ${maxBytes} bytes; found ${found}.`, { cause });
}

/** Returns the size of a request in bytes according to its header `Content-Length`, or 0 without the header. */
function getDeclaredSize(request: Request): number {
  return Number(request.get('content-length') ?? 0);
}

/** Determines where an uploaded file is stored, and receives the outcome. */
interface Destination {
  /**
   * Reserves a blob for the file, and returns its key.
   *
   * @param fields the fields that precede the file in the form
   * @throws Problem if the fields are invalid
   */
  reserveBlob(fields: Readonly<Record<string, unknown>>): Promise<string>;
  onStored(file: StoredFile): void;
  /** Receives the error because of which the file was not stored. Not called if the client disconnected. */
  onFailed(error: unknown): void;
}

/** Creates a multer storage engine for one request. The engine streams the file of a form into the blob store. */
function createBlobStorageEngine(stores: UploadStores, destination: Destination): StorageEngine {
  // Without the snapshot, a file that arrives after the headers would be received outside the asynchronous context of
  // the request, which contains the trace.
  const runInRequest = AsyncLocalStorage.snapshot();
  return {
    _handleFile: (request, file, done) => {
      const fields = toRecord(request.body);
      const incoming = { content: file.stream, name: file.originalname, declaredType: file.mimetype };
      const reserveBlob = async (): Promise<string> => destination.reserveBlob(fields);
      runInRequest(storeUploadedFile, stores, reserveBlob, incoming).then(
        (stored) => {
          destination.onStored(stored);
          done(null, { path: stored.blobKey, size: stored.size });
        },
        (error: unknown) => {
          file.stream.resume();
          if (!(error instanceof FileInterrupted)) destination.onFailed(error);
          done(error);
        },
      );
    },
    _removeFile: (_request, file, done) => {
      void releaseBlobs(stores, [file.path]).then(() => {
        done(null);
      });
    },
  };
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
