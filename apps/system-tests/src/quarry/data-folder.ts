import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a data folder that every user can traverse. When the tests run as root, PostgreSQL runs as another user,
 * which needs access to the folder.
 */
export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-system-'));
  await chmod(folder, 0o711);
  return folder;
}
