import { DirectoryInUse, lockDirectory, type DirectoryLock } from '@quarry/directory-lock';

/** Reports that another store writes into the folder. */
export class FolderInUse extends Error {
  constructor({ directory, holder }: DirectoryInUse) {
    super(
      `expected no other process that writes fragments into ${directory}, found ${holder}; ` +
        'stop it, choose another folder, or use Qdrant, which supports several writers',
    );
    this.name = 'FolderInUse';
  }
}

/**
 * Locks the folder for one writer. If two stores could write, each would read the commits of the other too late, and
 * searches would find two versions of a document.
 *
 * @throws FolderInUse if another store writes into the folder
 */
export function lockFolderForWriting(directory: string): DirectoryLock {
  try {
    return lockDirectory(directory, 'writer');
  } catch (error) {
    if (error instanceof DirectoryInUse) throw new FolderInUse(error);
    throw error;
  }
}
