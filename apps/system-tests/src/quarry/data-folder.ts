import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder for what a Quarry keeps. Every account can pass through it: where the tests run as root, PostgreSQL's account could not
 * reach it otherwise, and its database would be put elsewhere and stay there.
 */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-system-'));
  await chmod(folder, 0o711);
  return folder;
}
