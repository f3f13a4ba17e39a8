import type { QdrantConnection } from './qdrant-connection.js';
import type { StoreLog } from './options.js';

/**
 * Oldest supported version of Qdrant. Earlier versions lack conditional writes, so an older generation of a document
 * could replace a newer one.
 */
const MIN_VERSION = '1.16.0';

/**
 * First version of Qdrant without the bug that hides new points from searches while the server optimizes (qdrant issue
 * 9116).
 */
const RECOMMENDED_VERSION = '1.18.1';

/**
 * Checks the version of the server. Logs a warning if the version is older than `RECOMMENDED_VERSION`.
 *
 * @throws Error if it is older than `MIN_VERSION`
 */
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
