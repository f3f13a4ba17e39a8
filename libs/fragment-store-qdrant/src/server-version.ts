import type { QdrantConnection } from './qdrant-connection.js';
import type { StoreLog } from './options.js';

/**
 * Oldest supported version. Earlier versions lack conditional writes, so an older generation could replace a newer one.
 */
const MIN_VERSION = '1.16.0';

/** First version without the bug that hides new points from searches while the server optimizes (qdrant issue 9116). */
const RECOMMENDED_VERSION = '1.18.1';

/** Checks the version of the server, and logs a warning if it has a known bug. @throws Error if it is too old */
export async function requireSupportedVersion(connection: QdrantConnection, log: StoreLog | undefined): Promise<void> {
  const { version } = await connection.sendRequest('return its version', (client) => client.versionInfo());
  if (isOlderVersion(version, MIN_VERSION))
    throw new Error(`expected Qdrant ${MIN_VERSION} or newer, found ${version}; upgrade Qdrant`);
  if (!isOlderVersion(version, RECOMMENDED_VERSION)) return;
  log?.warn(
    { version },
    `Qdrant before ${RECOMMENDED_VERSION} can omit points from search results if they are written during an optimization; upgrade Qdrant`,
  );
}

export function isOlderVersion(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
