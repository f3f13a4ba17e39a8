import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { getErrorCode } from './error-code.js';

/**
 * Removes the file of a process that has ended, if the file still has the content `content`. If another process has
 * created the file again since `content` was read, restores that file.
 */
export async function removeStaleFile(file: string, content: string): Promise<void> {
  const aside = `${file}-${randomBytes(6).toString('hex')}`;
  await rename(file, aside).catch(ignoreMissingFile);
  const removed = await readFileIfExists(aside);
  if (removed !== undefined && removed !== content) await link(aside, file);
  await rm(aside, { force: true });
}

/** Reads a text file. Returns undefined if it does not exist. */
export async function readFileIfExists(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreMissingFile);
}

function ignoreMissingFile(error: unknown): undefined {
  if (getErrorCode(error) !== 'ENOENT') throw error;
}
