import { lstat } from 'node:fs/promises';

/** Returns true if a path exists, even as a broken link. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
