import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import type { EmbeddingSettings } from '@quarry/contracts';
import type { QueueLog } from '@quarry/queue';

/** Identifies the document whose vectors are cached. */
export interface CachedDocument {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  readonly documentKey: string;
}

/** Logs warnings about problems that do not prevent the indexing of a document. */
export type WarningLog = Pick<QueueLog, 'warn'>;

export interface VectorCacheSettings {
  readonly embedding: EmbeddingSettings;
  readonly log: WarningLog;
}

/** Describes a vector of a text, and how much of the text it represents. */
interface CachedVector {
  readonly vector: Float32Array;
  /** Number of UTF-16 code units that were embedded. Undefined if the whole text was embedded. */
  readonly embeddedLength?: number | undefined;
}

const HASH_BYTES = 32;
const LENGTH_BYTES = 4;
const FLOAT_BYTES = 4;
/**
 * Version of the encoding of the blobs. The keys of the vectors depend on it, so that vectors in blobs of other
 * versions match no text.
 */
const ENCODING_VERSION = 2;

/**
 * Caches the vectors of a document that is not stored yet, in the blob store that all workers share. A repeated attempt
 * continues where the previous attempt ended, even in another process, and embeds no text twice.
 *
 * The key of a vector is a hash of model, dimensions, text and encoding, so that a changed document finds the vectors
 * of its unchanged texts. The blobs with the vectors are numbered from 0. They are removed with the datasource, or once
 * the document is stored. If the loaded blobs contain more unused vectors than used ones, the unused vectors are
 * discarded.
 */
export class VectorCache {
  readonly #blobs: BlobStore;
  readonly #prefix: string;
  readonly #embedding: EmbeddingSettings;
  readonly #log: WarningLog;
  readonly #vectors = new Map<string, CachedVector>();
  #parts = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Vectors that have not been written to the blob store, each with the hash that is its key. */
  #pending: (readonly [string, CachedVector])[] = [];

  private constructor(blobs: BlobStore, prefix: string, { embedding, log }: VectorCacheSettings) {
    this.#blobs = blobs;
    this.#prefix = prefix;
    this.#embedding = embedding;
    this.#log = log;
  }

  /** Opens the cache of a document and loads the cached vectors of the given texts. */
  static async openCache(
    blobs: BlobStore,
    document: CachedDocument,
    settings: VectorCacheSettings,
    texts: readonly string[],
  ): Promise<VectorCache> {
    const cache = new VectorCache(blobs, getCachePrefix(document), settings);
    await cache.#loadVectors(texts);
    return cache;
  }

  findVector(text: string): Float32Array | undefined {
    return this.#vectors.get(this.#hashText(text))?.vector;
  }

  /**
   * Returns the number of embedded UTF-16 code units of a text of which only the beginning was embedded. Returns
   * undefined for other texts.
   */
  findEmbeddedLength(text: string): number | undefined {
    return this.#vectors.get(this.#hashText(text))?.embeddedLength;
  }

  /**
   * Adds vectors to the cache. Starts to write the vectors to the blob store, except if `isComplete` is true: the
   * document then has all its vectors, and the caller stores it immediately.
   */
  addVectors(
    embedded: readonly (CachedVector & { readonly text: string })[],
    { isComplete }: { readonly isComplete: boolean },
  ): void {
    for (const { text, ...cached } of embedded) {
      const hash = this.#hashText(text);
      this.#vectors.set(hash, cached);
      this.#pending.push([hash, cached]);
    }
    if (!isComplete) this.#writePending();
  }

  /**
   * Writes all vectors that have not been written yet, for the next attempt. Call it when this attempt has failed to
   * store the document.
   */
  async writeAll(): Promise<void> {
    this.#writePending();
    await this.#writing;
  }

  /** Removes the cached vectors after the document was stored. */
  async removeVectors(): Promise<void> {
    await this.#writing;
    if (this.#parts > 0) await discardBlobs(this.#blobs, this.#prefix, this.#log);
  }

  async #loadVectors(texts: readonly string[]): Promise<void> {
    let found = await this.#readPart(0);
    if (found === undefined) return;
    const needed = new Set(texts.map((text) => this.#hashText(text)));
    let unused = 0;
    for (; found !== undefined; found = await this.#readPart(this.#parts)) {
      this.#parts += 1;
      for (const [hash, cached] of decodeVectors(found, this.#embedding.dimensions)) {
        if (needed.has(hash)) this.#vectors.set(hash, cached);
        else unused += 1;
      }
    }
    if (unused <= this.#vectors.size) return;
    await this.#blobs.removeAll(this.#prefix);
    this.#parts = 0;
    this.#pending = [...this.#vectors];
  }

  async #readPart(part: number): Promise<Buffer | undefined> {
    try {
      return await buffer(await this.#blobs.read(`${this.#prefix}${part}`));
    } catch (error) {
      if (error instanceof BlobNotFound) return undefined;
      throw error;
    }
  }

  /**
   * Starts to write the pending vectors as one blob, after earlier writes. If the write fails, the next attempt embeds
   * the texts of these vectors again.
   */
  #writePending(): void {
    const valid = this.#pending.filter(([, { vector }]) => vector.length === this.#embedding.dimensions);
    this.#pending = [];
    if (valid.length === 0) return;
    const writePart = async (): Promise<void> => {
      await this.#blobs.write(`${this.#prefix}${this.#parts}`, Readable.from([encodeVectors(valid)]));
      this.#parts += 1;
    };
    this.#writing = this.#writing.then(writePart).catch((error: unknown) => {
      this.#log.warn(
        { err: error, vectors: valid.length },
        'vectors could not be cached: a retry embeds their texts again',
      );
    });
  }

  #hashText(text: string): string {
    const { model, dimensions } = this.#embedding;
    return createHash('sha256')
      .update(JSON.stringify([model, dimensions, text, ENCODING_VERSION]))
      .digest('hex');
  }
}

/** Removes the cached vectors of a document. */
export async function removeCachedVectors(blobs: BlobStore, document: CachedDocument): Promise<void> {
  await blobs.removeAll(getCachePrefix(document));
}

/** Removes the cached vectors of a document that is stored. Logs a failure, and does not throw it. */
export async function discardCachedVectors(blobs: BlobStore, document: CachedDocument, log: WarningLog): Promise<void> {
  await discardBlobs(blobs, getCachePrefix(document), log);
}

/**
 * Removes cached vectors that are not needed any more. Only logs a failure, which must not change the outcome of a
 * stored document.
 */
async function discardBlobs(blobs: BlobStore, prefix: string, log: WarningLog): Promise<void> {
  try {
    await blobs.removeAll(prefix);
  } catch (error) {
    log.warn({ err: error, prefix }, 'cached vectors could not be removed');
  }
}

function getCachePrefix({ organizationId, datastoreId, datasourceId, documentKey }: CachedDocument): string {
  const document = createHash('sha256').update(documentKey).digest('base64url');
  return `${organizationId}/${datastoreId}/${datasourceId}/vectors/${document}/`;
}

/**
 * Encodes vectors one after another: the hash (32 bytes), the embedded length (4 bytes, 0 if undefined) and the vector
 * (4 bytes per dimension).
 */
function encodeVectors(vectors: readonly (readonly [string, CachedVector])[]): Buffer {
  return Buffer.concat(
    vectors.flatMap(([hash, { vector, embeddedLength = 0 }]) => [
      Buffer.from(hash, 'hex'),
      Buffer.from(Uint32Array.of(embeddedLength).buffer),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ]),
  );
}

/**
 * Decodes the vectors and their hashes. If the vectors in the bytes have another number of dimensions, the decoded
 * hashes match no text.
 */
function* decodeVectors(bytes: Buffer, dimensions: number): Generator<readonly [string, CachedVector]> {
  const size = HASH_BYTES + LENGTH_BYTES + dimensions * FLOAT_BYTES;
  for (let start = 0; start + size <= bytes.length; start += size) {
    const hash = bytes.toString('hex', start, start + HASH_BYTES);
    const { buffer } = Uint8Array.from(bytes.subarray(start + HASH_BYTES, start + size));
    const [embeddedLength = 0] = new Uint32Array(buffer, 0, 1);
    const vector = new Float32Array(buffer, LENGTH_BYTES);
    yield [hash, embeddedLength === 0 ? { vector } : { vector, embeddedLength }];
  }
}
