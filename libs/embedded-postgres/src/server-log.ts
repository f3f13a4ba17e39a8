import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LARGEST_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4_000;

export function serverLogOf(home: string): string {
  return join(home, 'server.log');
}

/** Puts a log that has grown large aside, in place of the one put aside before. Only while no server writes to it. */
export async function rotateServerLog(home: string): Promise<void> {
  const path = serverLogOf(home);
  if ((await sizeOf(path)) > LARGEST_BYTES) await rename(path, `${path}.1`);
}

/** How long the log is now, to read from there later. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The end of what was written to the log since it was `from` bytes long. */
export async function tailOf(path: string, from: number): Promise<string> {
  const size = await sizeOf(path);
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
