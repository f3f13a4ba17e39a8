import { mkdir, rm } from 'node:fs/promises';

/**
 * Removes the temporary files of a process that was killed: LanceDB, for one, leaves the folders in which it was building an
 * index. The folder must belong to this process alone.
 */
export async function emptyTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
}
