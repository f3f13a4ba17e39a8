import { AsyncLocalStorage } from 'node:async_hooks';
import type { StorageEngine } from 'multer';
import { releaseBlobs } from '../uploads/release-blobs.js';
import { FileCutOff, storeFile, type StoredFile, type UploadStores } from '../uploads/store-file.js';

/** Where a file goes. Decided when it begins, by the fields that came before it. */
export interface Destination {
  readonly organizationId: string;
  /** @throws Problem when these fields are already wrong */
  keyFor(fields: Readonly<Record<string, unknown>>): Promise<string>;
  stored(file: StoredFile): void;
  /** Receives the reason why a file was not stored, unless the sender caused it. */
  failed(error: unknown): void;
}

/** Streams a form's file into the blob store. For one request. */
export function blobStorageEngine(stores: UploadStores, destination: Destination): StorageEngine {
  // A file that arrives after the head of its request is received outside of the request's asynchronous context, its trace included.
  const inRequest = AsyncLocalStorage.snapshot();
  return {
    _handleFile: (request, file, done) => {
      const fields = asRecord(request.body);
      const incoming = { content: file.stream, name: file.originalname, declaredType: file.mimetype };
      const keyFor = async (): Promise<string> => destination.keyFor(fields);
      inRequest(storeFile, stores, destination.organizationId, keyFor, incoming).then(
        (stored) => {
          destination.stored(stored);
          done(null, { path: stored.blobKey, size: stored.size });
        },
        (error: unknown) => {
          file.stream.resume();
          if (!(error instanceof FileCutOff)) destination.failed(error);
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

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
