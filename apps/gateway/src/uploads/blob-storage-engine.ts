import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, type Hash } from 'node:crypto';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import type { StorageEngine } from 'multer';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { HEAD_BYTES } from './content-kind.js';
import { reserveBlobs } from './discarded-blobs.js';
import { releaseBlobs } from './release-blobs.js';

/** A file whose bytes are in the blob store. */
export interface StoredFile {
  readonly blobKey: string;
  /** In bytes. */
  readonly size: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** As the client calls it. */
  readonly name: string;
  /** As the client declares it. */
  readonly declaredType: string;
}

type Stores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>;

/** Where a file goes: decided when it begins, by what the form has said so far. */
export interface Destination {
  readonly organizationId: string;
  /** @throws Problem when the form has said something wrong already */
  keyFor(fields: Readonly<Record<string, unknown>>): Promise<string>;
  stored(file: StoredFile): void;
  /** Told why a file was not stored, when that is not the sender's doing. */
  failed(error: unknown): void;
}

/** Streams a form's file into the blob store: no part of it waits in memory or on disk here. For one request. */
export function blobStorageEngine(stores: Stores, destination: Destination): StorageEngine {
  // A file that comes after the head of its request is heard of outside of what the request began, its trace among it.
  const inRequest = AsyncLocalStorage.snapshot();
  return {
    _handleFile: (request, file, done) => {
      const fields: unknown = request.body;
      inRequest(store, stores, destination, asRecord(fields), file).then(
        (stored) => {
          destination.stored(stored);
          done(null, { path: stored.blobKey, size: stored.size });
        },
        (error: unknown) => {
          file.stream.resume();
          if (!(error instanceof CutOff)) destination.failed(error);
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

async function store(
  stores: Stores,
  destination: Destination,
  fields: Readonly<Record<string, unknown>>,
  file: Express.Multer.File,
): Promise<StoredFile> {
  const meter = new Meter();
  // A file that breaks off fails before the meter does; where the store fails, its error reaches the file through the meter.
  const source = { isCutOff: false };
  file.stream.prependOnceListener('error', () => (source.isCutOff = !meter.destroyed));
  // Before anything is waited for: a form that breaks off must be noticed. Its error reaches the writer through the meter.
  pipeline(file.stream, meter, () => undefined);
  const blobKey = await destination.keyFor(fields);
  await reserveBlobs(stores.db, destination.organizationId, [blobKey], stores.clock());
  try {
    const { size } = await stores.blobs.write(blobKey, meter);
    return {
      blobKey,
      size,
      sha256: meter.hash.digest('hex'),
      head: meter.head,
      name: file.originalname,
      declaredType: file.mimetype,
    };
  } catch (error) {
    await releaseBlobs(stores, [blobKey]);
    if (source.isCutOff) throw new CutOff(error);
    throw problem('dependency_unavailable', 'The blob store did not take the file. Nothing was changed; try again.', {
      cause: error,
    });
  }
}

/** Keeps the first bytes of what passes, and the hash of all of them. */
class Meter extends Transform {
  head: Buffer = Buffer.alloc(0);
  readonly hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.head.length < HEAD_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
    }
    this.hash.update(chunk);
    done(null, chunk);
  }
}

class CutOff extends Error {
  constructor(cause: unknown) {
    super('the file breaks off', { cause });
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
