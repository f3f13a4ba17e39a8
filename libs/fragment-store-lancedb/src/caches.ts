import { totalmem } from 'node:os';
import { Session } from '@lancedb/lancedb';

const MIB = 2 ** 20;

const SHARE_OF_MEMORY = 1 / 8;
const MIN_CACHE_BYTES = 64 * MIB;
const MAX_CACHE_BYTES = 1024 * MIB;

/**
 * Size of the metadata cache, in bytes. Each commit adds the description of a table version, which is evicted only when
 * the cache is full.
 */
const METADATA_BYTES = 32 * MIB;
/**
 * Size of the index cache of a writer, in bytes. It suffices for the index of the column `slot`. A writer reads the
 * pages of other indexes only once.
 */
const WRITER_INDEX_BYTES = 64 * MIB;

/**
 * Returns the default size of the index cache for searches, in bytes: an eighth of the memory limit, from 64 MiB to 1
 * GiB. The default of the driver is 6 GiB.
 *
 * @param memory limit of the process, in bytes
 */
export function getDefaultCacheBytes(memory: number = getUsableMemory()): number {
  return Math.max(MIN_CACHE_BYTES, Math.min(MAX_CACHE_BYTES, memory * SHARE_OF_MEMORY));
}

export function createSearchSession(indexCacheBytes: number): Session {
  return createSession(indexCacheBytes);
}

/**
 * Creates the session of a writer. A writer has a separate session, because the index pages that it reads would evict
 * the pages that searches need.
 */
export function createWriterSession(): Session {
  return createSession(WRITER_INDEX_BYTES);
}

function createSession(indexCacheBytes: number): Session {
  return new Session(BigInt(Math.round(indexCacheBytes)), BigInt(METADATA_BYTES));
}

/**
 * Returns the memory limit of the container or, without a limit, the memory of the machine, in bytes. Without a limit,
 * `constrainedMemory` returns 0 or more than the machine has.
 */
function getUsableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
