import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a data folder that every user can traverse. As root, the tests run PostgreSQL as another user, which would otherwise
 * put its database elsewhere.
 */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-system-'));
  await chmod(folder, 0o711);
  return folder;
}
