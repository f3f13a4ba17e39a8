import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { getErrorCode } from './error-code.js';
import { pathExists } from './path-exists.js';

/** Describes a symbolic link. Both paths are relative to the folder that contains the folder `native`. */
interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the missing symbolic links between libraries, because npm packages cannot contain links. If npm runs install
 * scripts, the script of the platform package has created them already.
 *
 * @throws Error if links are missing and the folder is not writable
 */
export async function createMissingSymlinks(nativeFolder: string): Promise<void> {
  for (const { source, target } of await readLinkList(nativeFolder)) {
    const path = join(dirname(nativeFolder), target);
    if (await pathExists(path)) continue;
    await createLibraryLink(basename(source), path);
  }
}

async function readLinkList(nativeFolder: string): Promise<readonly Link[]> {
  try {
    return JSON.parse(await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function createLibraryLink(source: string, path: string): Promise<void> {
  try {
    await symlink(source, path);
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return;
    throw new Error(
      `expected PostgreSQL's library link ${path}, found none, and it cannot be created: run \`npm rebuild\` with install scripts allowed`,
      { cause: error },
    );
  }
}
