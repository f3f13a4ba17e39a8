import { mkdir, rm } from 'node:fs/promises';

/**
 * Makes a folder for temporary files that is empty: those of a process that was killed are removed. It must belong to this
 * process alone.
 */
export async function makeTemporaryFolder(folder: string): Promise<void> {
  await removeTemporaryFolder(folder);
  await mkdir(folder, { mode: 0o700 });
}

/** Removes the folder with what libraries leave in it: LanceDB, for one, keeps a folder there until its process ends, and after it. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
