import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_LOG_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4_000;

export function getServerLogPath(home: string): string {
  return join(home, 'server.log');
}

/**
 * Renames the server log if it is large, which replaces the previously renamed log. Call it only while no server writes
 * to the log.
 */
export async function rotateServerLog(home: string): Promise<void> {
  const path = getServerLogPath(home);
  if ((await readFileSize(path)) > MAX_LOG_BYTES) await rename(path, `${path}.1`);
}

/** Returns the size of a file in bytes, or 0 if it does not exist. */
export async function readFileSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the end of a file: at most the last `TAIL_BYTES` bytes, and nothing of the first `from` bytes. */
export async function readFileTail(path: string, from: number): Promise<string> {
  const size = await readFileSize(path);
  const start = Math.max(from, size - TAIL_BYTES);
  if (start >= size) return '';
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.subarray(0, bytesRead).toString().trim();
  } finally {
    await file.close();
  }
}
