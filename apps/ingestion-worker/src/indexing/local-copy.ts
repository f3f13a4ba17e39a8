import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BlobNotFound, type BlobPart, type BlobStore } from '@quarry/blob-store';
import { GiveUp } from '@quarry/contracts';

/** A document's bytes in the blob store. */
interface DocumentBytes {
  readonly blobs: BlobStore;
  readonly key: string;
  readonly part: BlobPart | undefined;
  readonly maxBytes: number;
}

/** Before the id of the process that made a copy, as the folder is everybody's. */
const PREFIX = 'quarry-reading-';
const NEW_AND_OURS = { flags: 'wx', mode: 0o600 };

/**
 * Gives `work` the path of a file that holds a blob's bytes, for as long as it runs.
 *
 * @throws GiveUp when the blob is gone, or has more than `maxBytes`
 */
export async function withLocalCopy<T>(
  source: DocumentBytes,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(tmpdir(), `${PREFIX}${process.pid}-${randomUUID()}`);
  try {
    await pipeline(await open(source), atMost(source.maxBytes), createWriteStream(path, NEW_AND_OURS), { signal });
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the copies of workers that were killed while they read, as far as this one may: nobody else would. */
export async function removeAbandonedCopies(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const copies = names.filter((name) => name.startsWith(PREFIX));
  const remove = async (name: string): Promise<void> => {
    const path = join(tmpdir(), name);
    if (await isAbandoned(path, Number.parseInt(name.slice(PREFIX.length), 10))) await rm(path, { force: true });
  };
  await Promise.allSettled(copies.map(remove));
}

/** In a container, a worker that is started again has the id of the one that was killed. */
async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isRunning(pid);
  const started = Date.now() - process.uptime() * 1_000;
  const copy = await stat(path).catch(() => undefined);
  return copy !== undefined && copy.mtimeMs < started;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function atMost(maxBytes: number): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new GiveUp('file_too_large', `The file is over the limit of ${maxBytes} bytes.`);
      yield chunk;
    }
  };
}

async function open({ blobs, key, part }: DocumentBytes): ReturnType<BlobStore['read']> {
  try {
    return await blobs.read(key, part);
  } catch (error) {
    if (!(error instanceof BlobNotFound)) throw error;
    throw new GiveUp('content_missing', 'The content that was uploaded is gone. Upload it again.', { cause: error });
  }
}
