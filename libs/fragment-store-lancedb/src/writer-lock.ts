import { DirectoryInUse, lockDirectory, type DirectoryLock } from '@quarry/directory-lock';

/** Another store writes into the folder. */
export class FolderInUse extends Error {
  constructor({ directory, holder }: DirectoryInUse) {
    super(
      `expected to be the only one that writes fragments into ${directory}, found ${holder}, which does; ` +
        'stop it, choose another folder, or use Qdrant, which takes any number of writers',
    );
    this.name = 'FolderInUse';
  }
}

/**
 * Two writers would not see each other's commits in time, and both versions of a document would be found.
 *
 * @throws FolderInUse when another store writes into the folder
 */
export function lockForWriting(directory: string): DirectoryLock {
  try {
    return lockDirectory(directory, 'writer');
  } catch (error) {
    if (error instanceof DirectoryInUse) throw new FolderInUse(error);
    throw error;
  }
}
