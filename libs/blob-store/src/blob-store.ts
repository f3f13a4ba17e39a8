import type { Readable } from 'node:stream';

/**
 * Stores bytes until the datasource that they belong to is removed. Keys are paths such as
 * `organization/datasource/name`, chosen by Quarry and never by a customer. The conformance suite asserts these
 * guarantees of a store:
 *
 * - A blob is stored as a whole or not at all: a failed or killed write leaves nothing that can be read.
 *
 * - Writing to an existing key replaces the blob. Removing a missing blob succeeds.
 *
 * - Writing and reading use a small amount of memory for blobs of any size.
 */
export interface BlobStore {
  /**
   * Writes a blob, or replaces the blob with the same key. Destroys the stream `content` if the write fails.
   *
   * @returns the number of bytes written
   */
  write(key: string, content: Readable): Promise<{ readonly size: number }>;

  /**
   * Reads a blob.
   *
   * @param part a range of the blob; default: the whole blob
   * @throws BlobNotFound
   */
  read(key: string, part?: BlobPart): Promise<Readable>;

  remove(key: string): Promise<void>;

  /** Removes all blobs whose keys start with `prefix`, which ends with `/`. */
  removeAll(prefix: string): Promise<void>;

  /**
   * Lists the keys that start with `prefix`, which ends with `/`, in any order. The list may include keys that are
   * written or removed while the caller iterates over it.
   */
  list(prefix: string): AsyncIterable<string>;

  /** Checks that the store is writable. @throws Error with the cause */
  ping(): Promise<void>;
}

/** Describes a range of a blob. The range has at least one byte and ends within the blob. */
export interface BlobPart {
  /** The first byte, counted from 0. */
  readonly start: number;
  readonly length: number;
}

export class BlobNotFound extends Error {
  constructor(key: string) {
    super(`there is no blob ${key}`);
    this.name = 'BlobNotFound';
  }
}

/** Returns true if an error reports a missing blob, and false for a failure of the store. */
export function isBlobNotFound(error: unknown): boolean {
  return error instanceof BlobNotFound;
}
