import { totalmem } from 'node:os';
import { Session } from '@lancedb/lancedb';

const MIB = 2 ** 20;

const SHARE_OF_MEMORY = 1 / 8;
const LEAST_BYTES = 64 * MIB;
const MOST_BYTES = 1024 * MIB;

/** Every commit leaves the descriptions of a version behind, and nothing takes them out again but this bound. */
const METADATA_BYTES = 32 * MIB;
/** A writer looks slots up. Whatever else of indexes it reads, it reads while it makes the next ones, and never again. */
const WRITER_INDEX_BYTES = 64 * MIB;

/**
 * How much of the indexes is kept in memory to be searched, in bytes, where nothing else is said: an eighth of what this process may
 * use, from 64 MiB to 1 GiB. The driver's own default is 6 GiB.
 *
 * @param memory what the process may use, in bytes
 */
export function defaultCacheBytes(memory: number = usableMemory()): number {
  return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, memory * SHARE_OF_MEMORY));
}

export function searchSession(indexBytes: number): Session {
  return sessionOf(indexBytes);
}

/** Apart from what is searched, which would otherwise be driven out by what is left behind by writing. */
export function writerSession(): Session {
  return sessionOf(WRITER_INDEX_BYTES);
}

function sessionOf(indexBytes: number): Session {
  return new Session(BigInt(Math.round(indexBytes)), BigInt(METADATA_BYTES));
}

/** The container's limit where there is one. Node says 0, or more than the machine has, where there is none. */
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
