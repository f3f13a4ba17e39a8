import { createHash, type Hash } from 'node:crypto';
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { HEAD_BYTES } from './content-kind.js';
import { reserveBlobs } from '../blobs/discarded-blobs.js';
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

export type UploadStores = Pick<Gateway, 'db' | 'blobs' | 'log' | 'clock'>;

/** A file that is being received. */
export interface IncomingFile {
  readonly content: Readable;
  readonly name: string;
  readonly declaredType: string;
}

/** The sender's connection ended before the end of the file. */
export class FileCutOff extends Error {
  constructor(cause: unknown) {
    super('expected the rest of the file, found the end of the connection', { cause });
    this.name = 'FileCutOff';
  }
}

/**
 * Streams a file into the blob store: no part of it waits in memory or on disk here. The blob is reserved until a transaction uses it.
 *
 * @param keyFor returns the blob's key; nothing is stored when it rejects
 * @throws FileCutOff; Problem when the blob store does not accept the file
 */
export async function storeFile(
  stores: UploadStores,
  organizationId: string,
  keyFor: () => Promise<string>,
  { content, name, declaredType }: IncomingFile,
): Promise<StoredFile> {
  const meter = new Meter();
  // A file that breaks off fails before the meter does; where the store fails, its error reaches the file through the meter.
  const source = { isCutOff: false };
  content.prependOnceListener('error', () => (source.isCutOff = !meter.destroyed));
  // Before anything is waited for: a form that breaks off must be noticed. Its error reaches the writer through the meter.
  pipeline(content, meter, () => undefined);
  const blobKey = await keyFor();
  await reserveBlobs(stores.db, organizationId, [blobKey], stores.clock());
  try {
    const { size } = await stores.blobs.write(blobKey, meter);
    return { blobKey, size, sha256: meter.hash.digest('hex'), head: meter.head, name, declaredType };
  } catch (error) {
    await releaseBlobs(stores, [blobKey]);
    if (source.isCutOff) throw new FileCutOff(error);
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
