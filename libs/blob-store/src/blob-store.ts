import type { Readable } from 'node:stream';

/**
 * Where bytes are kept until the datasource they belong to is removed. Keys are paths of plain segments
 * (`organization/datasource/name`), made by Quarry, never by a customer. Its guarantees, each asserted by the conformance suite:
 *
 * - A blob is there whole or not at all: a write that fails or is killed leaves nothing that can be read.
 * - Writing a key again replaces it. Removing what is not there succeeds.
 * - Writing and reading hold a small part of the blob in memory, whatever its size.
 */
export interface BlobStore {
  /** @returns how many bytes were written */
  write(key: string, content: Readable): Promise<{ readonly size: number }>;

  /** @param part of the blob; absent: all of it @throws BlobNotFound */
  read(key: string, part?: BlobPart): Promise<Readable>;

  remove(key: string): Promise<void>;

  /** Removes every key that begins with `prefix`, which ends in `/`. */
  removeAll(prefix: string): Promise<void>;

  /**
   * The keys that begin with `prefix`, which ends in `/`, in no order. What is written or removed meanwhile may be among them or
   * not.
   */
  list(prefix: string): AsyncIterable<string>;

  /** @throws with the cause when the store cannot be written */
  ping(): Promise<void>;
}

/** Some of a blob's bytes: at least one, and none past its end. */
export interface BlobPart {
  /** Counted from 0. */
  readonly start: number;
  readonly length: number;
}

export class BlobNotFound extends Error {
  constructor(key: string) {
    super(`there is no blob ${key}`);
    this.name = 'BlobNotFound';
  }
}

/** Returns whether an error of a blob store is an answer: that there is no such blob. */
export function isBlobNotFound(error: unknown): boolean {
  return error instanceof BlobNotFound;
}
