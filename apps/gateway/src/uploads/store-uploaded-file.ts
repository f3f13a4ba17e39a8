import { createHash, type Hash, randomUUID } from 'node:crypto';
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { HEAD_BYTES } from './detect-media-type.js';
import { releaseBlobs } from './release-blobs.js';

/** Describes an uploaded file that is stored in the blob store. */
export interface StoredFile {
  readonly blobKey: string;
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  /** The first bytes of the file, at most `HEAD_BYTES`. */
  readonly head: Buffer;
  /** The file name that the client sent. */
  readonly name: string;
  /** The content type that the client declared. */
  readonly declaredType: string;
}

export type UploadStores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>;

/** A file that the client is sending. */
export interface IncomingFile {
  readonly content: Readable;
  readonly name: string;
  readonly declaredType: string;
}

/** Error that reports that the connection of the client ended before the whole file was received. */
export class FileInterrupted extends Error {
  constructor(cause: unknown) {
    super('expected the rest of the file, found the end of the connection', { cause });
    this.name = 'FileInterrupted';
  }
}

/**
 * Streams a file into the blob store, without buffering the whole file in memory or on disk. The blob stays reserved
 * until a datasource uses it. If the blob store fails, the function does not read the rest of `content`, and does not
 * close it.
 *
 * @param reserveBlob reserves a blob and returns its key; if it rejects, nothing is stored
 * @throws FileInterrupted if the connection of the client ends early; Problem if the blob store fails
 */
export async function storeUploadedFile(
  stores: UploadStores,
  reserveBlob: () => Promise<string>,
  { content, name, declaredType }: IncomingFile,
): Promise<StoredFile> {
  const meter = new Meter();
  const source = { isInterrupted: false };
  // The streams are connected before the first `await`, so that no error of `content` is missed. `pipeline` is not
  // used, because it destroys `content` when the blob store fails, and the form parser would then report a malformed
  // form.
  content.pipe(meter);
  // This listener can ignore an error, because the code that reads the stream also receives it.
  meter.on('error', () => undefined);
  finished(content, { writable: false }, (error) => {
    if (error === undefined || error === null || meter.destroyed) return;
    source.isInterrupted = true;
    meter.destroy(error);
  });
  const blobKey = await reserveBlob();
  try {
    const { size } = await stores.blobs.write(blobKey, meter);
    return { blobKey, size, sha256: meter.hash.digest('hex'), head: meter.head, name, declaredType };
  } catch (error) {
    await releaseBlobs(stores, [blobKey]);
    if (source.isInterrupted) throw new FileInterrupted(error);
    throw problem(
      'dependency_unavailable',
      'The blob store failed to store the file. Nothing was changed. Retry later.',
      {
        cause: error,
      },
    );
  }
}

/** Passes a stream through unchanged. Records its first bytes, and the hash of all bytes. */
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

/**
 * Creates the key of a new blob. The key shows operators to which organization, datastore and datasource the blob
 * belongs.
 *
 * @param datastoreId undefined if the form contains the file before the field with the datastore id
 * @param datasourceId the id of the datasource, if the upload creates one
 */
export function createBlobKey(organizationId: string, datastoreId: string | undefined, datasourceId: string): string {
  return `${organizationId}/${datastoreId ?? 'unassigned'}/${datasourceId}/${randomUUID()}`;
}
