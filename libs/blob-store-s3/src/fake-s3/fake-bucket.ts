import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Describes a multipart upload in progress. */
export interface FakeUpload {
  readonly key: string;
  readonly initiated: Date;
  /** Maps the number of each received part to the path of the file that contains it. */
  readonly parts: Map<number, string>;
}

/**
 * Stores the objects of a fake S3 bucket in files, because objects in memory would distort the measured memory use of
 * the store under test.
 */
export class FakeBucket {
  readonly name: string;
  readonly #directory: string;
  readonly #objects = new Map<string, string>();
  readonly #uploads = new Map<string, FakeUpload>();

  constructor(name: string, directory: string) {
    this.name = name;
    this.#directory = directory;
  }

  get keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }

  /** Returns the multipart uploads in progress, by upload id. */
  get uploads(): ReadonlyMap<string, FakeUpload> {
    return this.#uploads;
  }

  async putObject(key: string, content: Readable, length: number): Promise<void> {
    this.#objects.set(key, await this.#storeContent(content, length));
  }

  /**
   * Opens an object. An open file keeps its content when the object is replaced.
   *
   * @returns undefined when there is no such object
   */
  async openObject(key: string): Promise<{ readonly file: FileHandle; readonly size: number } | undefined> {
    const path = this.#objects.get(key);
    if (path === undefined) return undefined;
    const file = await open(path);
    return { file, size: (await file.stat()).size };
  }

  removeObject(key: string): void {
    this.#objects.delete(key);
  }

  beginUpload(key: string, initiated = new Date()): string {
    const id = randomUUID();
    this.#uploads.set(id, { key, initiated, parts: new Map() });
    return id;
  }

  /** Stores a part of a multipart upload. @returns false when there is no such upload */
  async putUploadPart(upload: string, part: number, content: Readable, length: number): Promise<boolean> {
    const path = await this.#storeContent(content, length);
    return this.#uploads.get(upload)?.parts.set(part, path) !== undefined;
  }

  async completeUpload(upload: string, key: string, parts: readonly number[]): Promise<boolean> {
    const partFiles = this.#uploads.get(upload)?.parts;
    if (partFiles === undefined) return false;
    const path = join(this.#directory, randomUUID());
    for (const part of parts) {
      const source = partFiles.get(part);
      if (source === undefined) return false;
      await pipeline(createReadStream(source), createWriteStream(path, { flags: 'a' }));
      await rm(source);
    }
    this.#uploads.delete(upload);
    this.#objects.set(key, path);
    return true;
  }

  abortUpload(upload: string): void {
    this.#uploads.delete(upload);
  }

  async #storeContent(content: Readable, length: number): Promise<string> {
    const path = join(this.#directory, randomUUID());
    await pipeline(content, createWriteStream(path));
    const { size } = await stat(path);
    if (size !== length) throw new Error(`expected a request body of ${length} bytes, found ${size}`);
    return path;
  }
}
