import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { segmentsOfKey, segmentsOfPrefix, BlobNotFound, type BlobPart, type BlobStore } from '@quarry/blob-store';

/** No key begins with a dot, so this folder is never a blob's. */
const UNFINISHED = '.unfinished';
/** What another process is writing has changed lately. */
const STALE_AFTER_MS = 3_600_000;
const RENAME_ATTEMPTS = 5;
/** What another process writes meanwhile makes a folder "not empty" while it is being removed. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 };

/**
 * Blobs as files below `directory`, which is made when it is missing. Several processes may use it at once.
 * A key is never the beginning of another one (`a` and `a/b`): a file is not a folder.
 *
 * Opening it removes what killed writers left: all of it when no other process uses the folder, else what is an hour old.
 */
export async function openFileBlobStore(
  directory: string,
  { isShared = true }: { readonly isShared?: boolean } = {},
): Promise<BlobStore> {
  const unfinished = join(directory, UNFINISHED);
  if (!isShared) await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await removeStale(unfinished);

  const pathOf = (key: string): string => join(directory, ...segmentsOfKey(key));

  const write = async (path: string, content: Readable): Promise<{ readonly size: number }> => {
    const temporary = join(unfinished, randomUUID());
    try {
      const size = await writeToDisk(temporary, content);
      await moveInPlace(temporary, path);
      return { size };
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };

  return {
    write: async (key, content) => write(pathOf(key), content),
    read: async (key, part) => readFromDisk(key, pathOf(key), part),
    remove: async (key) => rm(pathOf(key), { force: true }),
    removeAll: async (prefix) => rm(join(directory, ...segmentsOfPrefix(prefix)), REMOVAL),
    list: (prefix) => listFiles(directory, segmentsOfPrefix(prefix).join('/')),
    ping: async () => {
      const probe = join(unfinished, randomUUID());
      const handle = await open(probe, 'wx');
      await handle.close();
      await rm(probe, { force: true });
    },
  };
}

async function writeToDisk(path: string, content: Readable): Promise<number> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(content);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Most of the time the folder is there. It can go once it is made, when another process removes what lies below a prefix. */
async function moveInPlace(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      break;
    } catch (error) {
      if (!isMissing(error) || attempt === RENAME_ATTEMPTS) throw error;
      await mkdir(folder, { recursive: true });
    }
  }
  await syncFolder(folder);
}

/** A renaming outlives a power cut once its folder is on disk. Some systems open no folders: there the rename is all there is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!isCode(error, 'EPERM') && !isCode(error, 'EINVAL')) throw error;
  } finally {
    await handle.close();
  }
}

async function readFromDisk(key: string, path: string, part: BlobPart | undefined): Promise<Readable> {
  const handle = await open(path).catch((error: unknown) => {
    throw isMissing(error) ? new BlobNotFound(key) : error;
  });
  const range = part === undefined ? {} : { start: part.start, end: part.start + part.length - 1 };
  if ((await handle.stat()).isFile()) return handle.createReadStream(range);
  await handle.close();
  throw new BlobNotFound(key);
}

async function* listFiles(directory: string, folder: string): AsyncGenerator<string> {
  const opened = await opendir(join(directory, folder)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  for await (const entry of opened ?? []) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(directory, path);
    else yield path;
  }
}

async function removeStale(folder: string): Promise<void> {
  const oldest = Date.now() - STALE_AFTER_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const modified = await stat(path).then(
      (found) => found.mtimeMs,
      () => Infinity,
    );
    if (modified < oldest) await rm(path, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
