import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { splitBlobKey, splitBlobPrefix, BlobNotFound, type BlobPart, type BlobStore } from '@quarry/blob-store';

/** Name of the folder for unfinished blobs. Keys never start with a dot, so no blob has this path. */
const TEMPORARY_FOLDER = '.unfinished';
/**
 * Age in milliseconds at which a temporary file is removed, because its writer is assumed to be dead. Also the minimum
 * time between two removals of such files.
 */
const STALE_AFTER_MS = 3_600_000;
const RENAME_ATTEMPTS = 5;
/** Options for removing a folder. Removals are retried, because a concurrent write makes the folder non-empty. */
const REMOVE_OPTIONS = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 };

/**
 * Opens a blob store in a folder, which is created if it does not exist. Several processes can use the folder
 * concurrently. A key must not be a parent path of another key, such as `a` of `a/b`: no path is both a file and a
 * folder.
 *
 * Removes the temporary files of killed writers: those older than an hour, or all temporary files if `isShared` is
 * false. Writes repeat the removal, at most once per hour.
 *
 * @param options.isShared false if no other process uses the folder. Default: true
 */
export async function openFileBlobStore(
  directory: string,
  { isShared = true, now = Date.now }: { readonly isShared?: boolean; readonly now?: () => number } = {},
): Promise<BlobStore> {
  const temporaryFolder = join(directory, TEMPORARY_FOLDER);
  if (!isShared) await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder, { recursive: true });
  await removeStaleTemporaryFiles(temporaryFolder, now());
  let cleanedAt = now();

  const getBlobPath = (key: string): string => join(directory, ...splitBlobKey(key));

  const write = async (path: string, content: Readable): Promise<{ readonly size: number }> => {
    const temporary = join(temporaryFolder, randomUUID());
    try {
      if (now() - cleanedAt >= STALE_AFTER_MS) {
        cleanedAt = now();
        // The write must succeed even if a stale file cannot be removed.
        await removeStaleTemporaryFiles(temporaryFolder, cleanedAt).catch(() => undefined);
      }
      const size = await writeAndSyncFile(temporary, content);
      await moveFileIntoPlace(temporary, path);
      return { size };
    } catch (error) {
      // The content can be an open file, which is closed only when it has been read or is destroyed.
      content.destroy();
      await rm(temporary, { force: true });
      throw error;
    }
  };

  return {
    write: async (key, content) => write(getBlobPath(key), content),
    read: async (key, part) => openBlobFile(key, getBlobPath(key), part),
    remove: async (key) => rm(getBlobPath(key), { force: true }),
    removeAll: async (prefix) => rm(join(directory, ...splitBlobPrefix(prefix)), REMOVE_OPTIONS),
    list: (prefix) => listFiles(directory, splitBlobPrefix(prefix).join('/')),
    ping: async () => {
      const probe = join(temporaryFolder, randomUUID());
      const handle = await open(probe, 'wx');
      await handle.close();
      await rm(probe, { force: true });
    },
  };
}

async function writeAndSyncFile(path: string, content: Readable): Promise<number> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(content);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/**
 * Moves a file into place, and creates the target folder if it does not exist. The move is retried, because another
 * process that removes a prefix can delete the folder at any time.
 */
async function moveFileIntoPlace(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      break;
    } catch (error) {
      if (!isMissingFileError(error) || attempt === RENAME_ATTEMPTS) throw error;
      await mkdir(folder, { recursive: true });
    }
  }
  await syncFolder(folder);
}

/**
 * Flushes a folder to disk, so that a rename in it survives a power failure. Skips the flush on systems that cannot
 * open folders.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM') && !hasErrorCode(error, 'EINVAL')) throw error;
  } finally {
    await handle.close();
  }
}

async function openBlobFile(key: string, path: string, part: BlobPart | undefined): Promise<Readable> {
  const handle = await open(path).catch((error: unknown) => {
    throw isMissingFileError(error) ? new BlobNotFound(key) : error;
  });
  const range = part === undefined ? {} : { start: part.start, end: part.start + part.length - 1 };
  if ((await handle.stat()).isFile()) return handle.createReadStream(range);
  await handle.close();
  throw new BlobNotFound(key);
}

/** Yields the paths of all files below `folder`. Both `folder` and the paths are relative to `directory`. */
async function* listFiles(directory: string, folder: string): AsyncGenerator<string> {
  const opened = await opendir(join(directory, folder)).catch((error: unknown) => {
    if (isMissingFileError(error)) return undefined;
    throw error;
  });
  for await (const entry of opened ?? []) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(directory, path);
    else yield path;
  }
}

async function removeStaleTemporaryFiles(folder: string, now: number): Promise<void> {
  const oldest = now - STALE_AFTER_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const modified = await stat(path).then(
      (stats) => stats.mtimeMs,
      () => Infinity,
    );
    if (modified < oldest) await rm(path, { force: true });
  }
}

function isMissingFileError(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
