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
import { BlobNotFound, type BlobPart, segmentsOfKey, segmentsOfPrefix, type BlobStore } from '@quarry/blob-store';
import { removeUnfinished } from './remove-unfinished.js';
import { locationOf, type S3Location, type S3Settings } from './s3-address.js';
import { upload, type S3Object } from './upload.js';

const REMOVALS_UNDER_WAY = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection over which nothing comes for so long has failed. */
const SILENCE_MS = 60_000;
/** No blob is written for so long. */
const UNFINISHED_AFTER_MS = 86_400_000;

/**
 * Blobs in a bucket. A part's length is always known before it is sent and no checksum goes behind a body, which not every
 * server understands. Writing needs no list permission, listing and removing by prefix do. Of a process that is killed while it writes,
 * parts stay in the bucket that nobody can read: they are removed when a store is opened a day later.
 *
 * @param url `s3://bucket` or `s3://bucket/prefix`
 * @param onUnavailable receives the reason when nothing answers at the address. Absent: that throws
 * @throws RangeError for another kind of address; when the bucket cannot be used
 */
export async function openS3BlobStore(
  url: string,
  settings: S3Settings,
  onUnavailable?: (reason: Error) => void,
): Promise<BlobStore> {
  const store = new S3BlobStore(locationOf(url), settings);
  try {
    await store.ping();
  } catch (error) {
    if (onUnavailable === undefined || !(error instanceof Error) || !isUnavailable(error)) throw error;
    onUnavailable(error);
    return store;
  }
  await store.tidy(new Date(Date.now() - UNFINISHED_AFTER_MS));
  return store;
}

class S3BlobStore implements BlobStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;
  readonly #where: string;

  constructor({ bucket, prefix }: S3Location, { endpoint, region, credentials }: S3Settings) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#where = endpoint ?? `AWS in ${region}`;
    this.#client = new S3Client({
      region,
      // A bucket's name before the host's needs a certificate and a name server that know it.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials === undefined ? {} : { credentials }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MS },
    });
  }

  async write(key: string, content: Readable): Promise<{ readonly size: number }> {
    return { size: await upload(this.#client, this.#object(key), content) };
  }

  async read(key: string, part?: BlobPart): Promise<Readable> {
    const { Body: body } = await this.#get(key, part);
    if (!(body instanceof Readable)) throw new TypeError(`S3 is expected to answer ${key} with a stream`);
    return body;
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(key)));
  }

  async removeAll(prefix: string): Promise<void> {
    const start = `${this.#prefix}${segmentsOfPrefix(prefix).join('/')}/`;
    for await (const keys of this.#pages(start)) {
      const waiting = [...keys];
      await Promise.all(Array.from({ length: REMOVALS_UNDER_WAY }, () => this.#removeFrom(waiting)));
    }
  }

  async *list(prefix: string): AsyncGenerator<string> {
    const start = `${this.#prefix}${segmentsOfPrefix(prefix).join('/')}/`;
    for await (const keys of this.#pages(start)) for (const key of keys) yield key.slice(this.#prefix.length);
  }

  async ping(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      throw new Error(`the bucket ${this.#bucket} cannot be used at ${this.#where}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** Those who may not list uploads have them removed by a rule of their bucket; every later start tries again. */
  async tidy(before: Date): Promise<void> {
    await removeUnfinished(this.#client, { bucket: this.#bucket, prefix: this.#prefix }, before).catch(() => undefined);
  }

  async #get(key: string, part: BlobPart | undefined): Promise<{ Body?: unknown }> {
    const range = part === undefined ? {} : { Range: `bytes=${part.start}-${part.start + part.length - 1}` };
    try {
      return await this.#client.send(new GetObjectCommand({ ...this.#object(key), ...range }));
    } catch (error) {
      if (error instanceof NoSuchKey) throw new BlobNotFound(key);
      throw error;
    }
  }

  async #removeFrom(keys: string[]): Promise<void> {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
    }
  }

  async *#pages(start: string): AsyncGenerator<readonly string[]> {
    let next: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: start, ContinuationToken: next }),
      );
      yield (page.Contents ?? []).flatMap(({ Key: key }) => (key === undefined ? [] : [key]));
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  #object(key: string): S3Object {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${segmentsOfKey(key).join('/')}` };
  }
}

/** The answer to a HEAD has no body, and so its error no message but the status. */
/** What Node reports when nothing answers at an address, as opposed to a server that refuses what it receives. */
const UNAVAILABLE =
  /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|answers 5\d\d)\b/;

function isUnavailable({ message, cause }: Error): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return UNAVAILABLE.test(`${message} ${code}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('$metadata' in error)) return error.message === '' && 'code' in error ? String(error.code) : error.message;
  const { httpStatusCode: status } = error.$metadata as { readonly httpStatusCode?: number }; // the SDK's own errors
  return status === undefined ? error.message : `it answers ${status} (${error.name})`;
}
