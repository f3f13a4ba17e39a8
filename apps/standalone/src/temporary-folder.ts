import { mkdir, rm } from 'node:fs/promises';

/**
 * Creates an empty folder for temporary files, and removes those of a killed process. The folder must be used by this process
 * only.
 */
export async function makeTemporaryFolder(folder: string): Promise<void> {
  await removeTemporaryFolder(folder);
  await mkdir(folder, { mode: 0o700 });
}

/** Removes the folder with the files of libraries. LanceDB, for example, leaves a folder there when its process ends. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
