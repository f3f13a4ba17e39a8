import type { QdrantConnection } from './connection.js';
import type { StoreLog } from './options.js';

/** From here on a write can depend on what is stored: before, an older generation could replace a newer one. */
const OLDEST = '1.16.0';

/** Before, what is written while the server begins to optimise may be missing from searches until it has ended (qdrant 9116). */
const TRUSTED = '1.18.1';

/** @throws Error where the server is too old */
export async function checkServerVersion(connection: QdrantConnection, log: StoreLog | undefined): Promise<void> {
  const { version } = await connection.ask('tell its version', (client) => client.versionInfo());
  if (isOlder(version, OLDEST)) throw new Error(`Qdrant is to be of version ${OLDEST} or newer, found ${version}`);
  if (!isOlder(version, TRUSTED)) return;
  log?.warn({ version }, `Qdrant before ${TRUSTED} may leave out of searches what is written while it optimises`);
}

export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
