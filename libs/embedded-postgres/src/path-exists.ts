import { lstat } from 'node:fs/promises';

/** Returns true if a path exists, also if it is a broken symbolic link. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
