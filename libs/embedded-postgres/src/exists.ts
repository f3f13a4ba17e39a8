import { lstat } from 'node:fs/promises';

/** Whether a path is there, be it a link to nothing. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
