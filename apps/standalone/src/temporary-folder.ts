import { mkdir, rm } from 'node:fs/promises';

/**
 * Creates an empty folder for temporary files. Deletes the files that a killed process left in it. No other process may use the
 * folder.
 */
export async function makeTemporaryFolder(folder: string): Promise<void> {
  await removeTemporaryFolder(folder);
  await mkdir(folder, { mode: 0o700 });
}

/** Removes the folder for temporary files with its content. LanceDB, for example, leaves files in it. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
