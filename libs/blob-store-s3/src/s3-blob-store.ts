import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { BlobNotFound, type BlobPart, splitBlobKey, splitBlobPrefix, type BlobStore } from '@quarry/blob-store';
import { abortStaleUploads } from './abort-stale-uploads.js';
import { parseS3Address, type S3Location, type S3Settings } from './s3-address.js';
import { uploadObject, type S3Object } from './upload.js';

const MAX_CONCURRENT_REMOVALS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** Time without data after which a connection to the server fails, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;
const DEFAULT_PING_TIMEOUT_MS = 10_000;
/** Age of a multipart upload in milliseconds after which the process that started it is assumed to be dead. */
const STALE_UPLOAD_AGE_MS = 86_400_000;

/**
 * Opens a blob store in a bucket. Requests contain the length of their body and no trailing checksums, because some
 * servers require the length or do not support such checksums. Listing keys and removing all blobs of a prefix require
 * the permission to list the bucket. Other operations do not.
 *
 * A process that is killed during a write leaves an unfinished upload, which cannot be read as a blob. When opening the
 * store, this function aborts uploads that are older than a day.
 *
 * The server must respond to a ping within `pingTimeoutMs`. Otherwise it is unavailable.
 *
 * @param url `s3://bucket` or `s3://bucket/prefix`
 * @param onUnavailable receives the reason if the server is unavailable. Absent: an error is thrown instead
 * @throws RangeError if `url` has another form; Error if the bucket cannot be used
 */
export async function openS3BlobStore(
  url: string,
  settings: S3Settings,
  onUnavailable?: (reason: Error) => void,
): Promise<BlobStore> {
  const store = new S3BlobStore(parseS3Address(url), settings);
  try {
    await store.ping();
  } catch (error) {
    if (onUnavailable === undefined || !(error instanceof Error) || !isServerUnavailable(error)) throw error;
    onUnavailable(error);
    return store;
  }
  await store.abortStaleUploads(new Date(Date.now() - STALE_UPLOAD_AGE_MS));
  return store;
}

class S3BlobStore implements BlobStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;
  readonly #serverName: string;
  readonly #pingTimeoutMs: number;

  constructor({ bucket, prefix }: S3Location, { endpoint, region, credentials, pingTimeoutMs }: S3Settings) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#serverName = endpoint ?? `AWS in ${region}`;
    this.#pingTimeoutMs = pingTimeoutMs ?? DEFAULT_PING_TIMEOUT_MS;
    this.#client = new S3Client({
      region,
      // Virtual-hosted-style addresses would require certificates and DNS entries for the bucket.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials === undefined ? {} : { credentials }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
    });
  }

  async write(key: string, content: Readable): Promise<{ readonly size: number }> {
    return { size: await uploadObject(this.#client, this.#buildS3Object(key), content) };
  }

  async read(key: string, part?: BlobPart): Promise<Readable> {
    const { Body: body } = await this.#respondToGet(key, part);
    if (!(body instanceof Readable))
      throw new TypeError(`expected a readable stream as the body of the S3 response for the blob ${key}`);
    return body;
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#buildS3Object(key)));
  }

  async removeAll(prefix: string): Promise<void> {
    const start = `${this.#prefix}${splitBlobPrefix(prefix).join('/')}/`;
    for await (const keys of this.#listKeyPages(start)) {
      const remaining = [...keys];
      await Promise.all(Array.from({ length: MAX_CONCURRENT_REMOVALS }, () => this.#removeObjects(remaining)));
    }
  }

  async *list(prefix: string): AsyncGenerator<string> {
    const start = `${this.#prefix}${splitBlobPrefix(prefix).join('/')}/`;
    for await (const keys of this.#listKeyPages(start)) for (const key of keys) yield key.slice(this.#prefix.length);
  }

  async ping(): Promise<void> {
    const late = AbortSignal.timeout(this.#pingTimeoutMs);
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), { abortSignal: late });
    } catch (error) {
      const reason = late.aborted ? `it did not respond within ${this.#pingTimeoutMs} ms` : describeS3Error(error);
      throw new Error(`the bucket ${this.#bucket} cannot be used at ${this.#serverName}: ${reason}`, {
        cause: error,
      });
    }
  }

  /**
   * Aborts multipart uploads that started before `before`. Ignores errors, and stops after the time limit of a ping,
   * because the next start of a service tries again. Without the permission to list uploads, a lifecycle rule of the
   * bucket must abort them.
   */
  async abortStaleUploads(before: Date): Promise<void> {
    const location = { bucket: this.#bucket, prefix: this.#prefix };
    const late = AbortSignal.timeout(this.#pingTimeoutMs);
    await abortStaleUploads(this.#client, location, before, late).catch(() => undefined);
  }

  async #respondToGet(key: string, part: BlobPart | undefined): Promise<{ Body?: unknown }> {
    const range = part === undefined ? {} : { Range: `bytes=${part.start}-${part.start + part.length - 1}` };
    try {
      return await this.#client.send(new GetObjectCommand({ ...this.#buildS3Object(key), ...range }));
    } catch (error) {
      if (error instanceof NoSuchKey) throw new BlobNotFound(key);
      throw error;
    }
  }

  async #removeObjects(keys: string[]): Promise<void> {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
    }
  }

  async *#listKeyPages(prefix: string): AsyncGenerator<readonly string[]> {
    let next: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: next }),
      );
      yield (page.Contents ?? []).flatMap(({ Key: key }) => (key === undefined ? [] : [key]));
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  #buildS3Object(key: string): S3Object {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${splitBlobKey(key).join('/')}` };
  }
}

/**
 * Matches Node's errors for an unreachable address, the error of a late response to a ping, and responses with a server
 * error (5xx). Does not match a response that rejects the client (4xx).
 */
const UNAVAILABLE =
  /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|responded with 5\d\d|did not respond within)\b/;

function isServerUnavailable({ message, cause }: Error): boolean {
  // Most timeouts of the SDK have this name, but no code.
  if (cause instanceof Error && cause.name === 'TimeoutError') return true;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return UNAVAILABLE.test(`${message} ${code}`);
}

function describeS3Error(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('$metadata' in error)) return error.message === '' && 'code' in error ? String(error.code) : error.message;
  const { httpStatusCode: status } = error.$metadata as { readonly httpStatusCode?: number }; // the SDK's own errors
  return status === undefined ? error.message : `it responded with ${status} (${error.name})`;
}
