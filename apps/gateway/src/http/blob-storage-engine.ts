import { AsyncLocalStorage } from 'node:async_hooks';
import type { StorageEngine } from 'multer';
import { releaseBlobs } from '../uploads/release-blobs.js';
import { FileInterrupted, storeFile, type StoredFile, type UploadStores } from '../uploads/store-file.js';

/** The destination of an uploaded file. */
export interface Destination {
  readonly organizationId: string;
  /**
   * Returns the blob key of the file. @param fields those that precede the file in the form @throws Problem if they are invalid
   */
  keyFor(fields: Readonly<Record<string, unknown>>): Promise<string>;
  stored(file: StoredFile): void;
  /** Receives the error of a file that was not stored, unless the connection of the sender ended. */
  failed(error: unknown): void;
}

/** Creates a multer storage engine for one request, which streams the file of a form into the blob store. */
export function createBlobStorageEngine(stores: UploadStores, destination: Destination): StorageEngine {
  // A file that arrives after the headers of its request is received outside the request's asynchronous context, which has its
  // trace.
  const runInRequest = AsyncLocalStorage.snapshot();
  return {
    _handleFile: (request, file, done) => {
      const fields = toRecord(request.body);
      const incoming = { content: file.stream, name: file.originalname, declaredType: file.mimetype };
      const keyFor = async (): Promise<string> => destination.keyFor(fields);
      runInRequest(storeFile, stores, destination.organizationId, keyFor, incoming).then(
        (stored) => {
          destination.stored(stored);
          done(null, { path: stored.blobKey, size: stored.size });
        },
        (error: unknown) => {
          file.stream.resume();
          if (!(error instanceof FileInterrupted)) destination.failed(error);
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
