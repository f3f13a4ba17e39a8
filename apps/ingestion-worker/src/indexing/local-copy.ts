import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BlobNotFound, type BlobPart, type BlobStore } from '@quarry/blob-store';
import { GiveUp } from '@quarry/contracts';

/** Describes where the blob store contains the bytes of a document, and the maximum number of bytes to read. */
interface DocumentBytes {
  readonly blobs: BlobStore;
  readonly key: string;
  readonly part: BlobPart | undefined;
  readonly maxBytes: number;
}

/**
 * Prefix of the names of temporary files. The process id of the worker follows it, because the workers of a machine
 * share the folder.
 */
const PREFIX = 'quarry-reading-';
const CREATE_PRIVATE = { flags: 'wx', mode: 0o600 };

/**
 * Copies a blob to a temporary file for the duration of `work`.
 *
 * @throws GiveUp if the blob does not exist or has more than `maxBytes`
 */
export async function withLocalCopy<T>(
  source: DocumentBytes,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(tmpdir(), `${PREFIX}${process.pid}-${randomUUID()}`);
  try {
    await pipeline(
      await openBlobOrGiveUp(source),
      createByteLimiter(source.maxBytes),
      createWriteStream(path, CREATE_PRIVATE),
      {
        signal,
      },
    );
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the temporary files that killed workers have left. Skips files that this process may not remove. */
export async function removeAbandonedCopies(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const copies = names.filter((name) => name.startsWith(PREFIX));
  const removeIfAbandoned = async (name: string): Promise<void> => {
    const path = join(tmpdir(), name);
    if (await isAbandonedCopy(path, Number.parseInt(name.slice(PREFIX.length), 10))) await rm(path, { force: true });
  };
  await Promise.allSettled(copies.map(removeIfAbandoned));
}

/**
 * Returns whether the worker that created a temporary file has exited. Restarted containers reuse process ids, so a
 * file with the id of this process is abandoned if it is older than the process.
 */
async function isAbandonedCopy(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isProcessRunning(pid);
  const started = Date.now() - process.uptime() * 1_000;
  const copy = await stat(path).catch(() => undefined);
  return copy !== undefined && copy.mtimeMs < started;
}

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // `EPERM` means that the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function createByteLimiter(maxBytes: number): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new GiveUp('file_too_large', `The file is over the limit of ${maxBytes} bytes.`);
      yield chunk;
    }
  };
}

async function openBlobOrGiveUp({ blobs, key, part }: DocumentBytes): ReturnType<BlobStore['read']> {
  try {
    return await blobs.read(key, part);
  } catch (error) {
    if (!(error instanceof BlobNotFound)) throw error;
    throw new GiveUp('content_missing', 'The uploaded content no longer exists. Upload it again.', { cause: error });
  }
}
