import { lstat } from 'node:fs/promises';

/** Returns true if a path exists. A broken link exists. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
