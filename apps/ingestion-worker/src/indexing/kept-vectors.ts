import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import type { EmbeddingSettings } from '@quarry/contracts';
import type { QueueLog } from '@quarry/queue';

/** Whose vectors are kept. */
export interface KeptDocument {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  readonly documentKey: string;
}

/** Receives what goes wrong without failing the document. */
export type WarningLog = Pick<QueueLog, 'warn'>;

export interface KeepingSettings {
  readonly embedding: EmbeddingSettings;
  readonly log: WarningLog;
}

const HASH_BYTES = 32;
const FLOAT_BYTES = 4;

/**
 * The vectors of a document that is not stored yet, kept where every worker finds them: an attempt after a failure, or in another
 * process after a kill, goes on where the one before ended, and no text is paid for twice.
 *
 * A vector is kept under the hash of its model, its length and its text, so that a document that has changed meanwhile finds
 * what has not. They are blobs among those of the datasource, numbered from 0, and go with it; or with the document, once it
 * is stored. Those that a changed document has no use for are dropped once they outnumber the others.
 */
export class KeptVectors {
  readonly #blobs: BlobStore;
  readonly #prefix: string;
  readonly #embedding: EmbeddingSettings;
  readonly #log: WarningLog;
  readonly #vectors = new Map<string, Float32Array>();
  #parts = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Not written yet. */
  #pending: (readonly [string, Float32Array])[] = [];

  private constructor(blobs: BlobStore, prefix: string, { embedding, log }: KeepingSettings) {
    this.#blobs = blobs;
    this.#prefix = prefix;
    this.#embedding = embedding;
    this.#log = log;
  }

  /** @returns what is kept for `texts` of the document */
  static async open(
    blobs: BlobStore,
    document: KeptDocument,
    settings: KeepingSettings,
    texts: readonly string[],
  ): Promise<KeptVectors> {
    const kept = new KeptVectors(blobs, prefixOf(document), settings);
    await kept.#load(texts);
    return kept;
  }

  find(text: string): Float32Array | undefined {
    return this.#vectors.get(this.#hash(text));
  }

  /**
   * Keeps vectors for every process; with `lastly`, for this one until `saved` is called: vectors that are all a document needs
   * are stored with it in a moment, and a small document costs no write.
   */
  keep(
    embedded: readonly { readonly text: string; readonly vector: Float32Array }[],
    { lastly }: { readonly lastly: boolean },
  ): void {
    for (const { text, vector } of embedded) {
      const hash = this.#hash(text);
      this.#vectors.set(hash, vector);
      this.#pending.push([hash, vector]);
    }
    if (!lastly) this.#write();
  }

  /** Keeps all of them for every process: the document will not be stored by this attempt. */
  async saved(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** The document is stored. */
  async forget(): Promise<void> {
    await this.#writing;
    if (this.#parts > 0) await this.#blobs.removeAll(this.#prefix);
  }

  async #load(texts: readonly string[]): Promise<void> {
    let found = await this.#read(0);
    if (found === undefined) return;
    const needed = new Set(texts.map((text) => this.#hash(text)));
    let useless = 0;
    for (; found !== undefined; found = await this.#read(this.#parts)) {
      this.#parts += 1;
      for (const [hash, vector] of vectorsOf(found, this.#embedding.dimensions)) {
        if (needed.has(hash)) this.#vectors.set(hash, vector);
        else useless += 1;
      }
    }
    if (useless <= this.#vectors.size) return;
    await this.#blobs.removeAll(this.#prefix);
    this.#parts = 0;
    this.#pending = [...this.#vectors];
  }

  async #read(part: number): Promise<Buffer | undefined> {
    try {
      return await buffer(await this.#blobs.read(`${this.#prefix}${part}`));
    } catch (error) {
      if (error instanceof BlobNotFound) return undefined;
      throw error;
    }
  }

  /** One after the other. A vector that cannot be kept is paid for again, which is better than a document that is not indexed. */
  #write(): void {
    const right = this.#pending.filter(([, vector]) => vector.length === this.#embedding.dimensions);
    this.#pending = [];
    if (right.length === 0) return;
    const write = async (): Promise<void> => {
      await this.#blobs.write(`${this.#prefix}${this.#parts}`, Readable.from([bytesOf(right)]));
      this.#parts += 1;
    };
    this.#writing = this.#writing.then(write).catch((error: unknown) => {
      this.#log.warn({ err: error, vectors: right.length }, 'vectors could not be kept: a retry embeds them again');
    });
  }

  #hash(text: string): string {
    const { model, dimensions } = this.#embedding;
    return createHash('sha256')
      .update(JSON.stringify([model, dimensions, text]))
      .digest('hex');
  }
}

/** Removes what is kept of a document, if anything. */
export async function forgetVectors(blobs: BlobStore, document: KeptDocument): Promise<void> {
  await blobs.removeAll(prefixOf(document));
}

function prefixOf({ organizationId, datastoreId, datasourceId, documentKey }: KeptDocument): string {
  const document = createHash('sha256').update(documentKey).digest('base64url');
  return `${organizationId}/${datastoreId}/${datasourceId}/vectors/${document}/`;
}

/** A hash, its vector, the next hash. */
function bytesOf(vectors: readonly (readonly [string, Float32Array])[]): Buffer {
  return Buffer.concat(
    vectors.flatMap(([hash, vector]) => [
      Buffer.from(hash, 'hex'),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ]),
  );
}

/** What was kept for vectors of another length holds hashes that no text has now. */
function* vectorsOf(bytes: Buffer, dimensions: number): Generator<readonly [string, Float32Array]> {
  const size = HASH_BYTES + dimensions * FLOAT_BYTES;
  for (let start = 0; start + size <= bytes.length; start += size) {
    const hash = bytes.toString('hex', start, start + HASH_BYTES);
    const vector = new Float32Array(Uint8Array.from(bytes.subarray(start + HASH_BYTES, start + size)).buffer);
    yield [hash, vector];
  }
}
