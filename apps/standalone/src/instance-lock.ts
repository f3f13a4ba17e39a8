import { DirectoryInUse, lockDirectory, type DirectoryLock } from '@quarry/directory-lock';
import { ConfigurationError } from '@quarry/service-kit';

/** Locks a data folder for one process. @throws ConfigurationError naming the process that uses the folder */
export function lockDataDirectory(directory: string): DirectoryLock {
  try {
    return lockDirectory(directory, 'instance');
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new ConfigurationError(
      [`the data folder ${directory} is used by another Quarry (${error.holder}); stop it, or set QUARRY_DATA_DIR`],
      { cause: error },
    );
  }
}
