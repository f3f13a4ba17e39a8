import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessWorkingIn } from './processes.js';
import { readFileIfExists, removeStaleFile } from './stale-files.js';

/**
 * Maximum length of the path of a socket, in bytes. It is the limit of macOS (103; Linux: 107) minus five bytes for
 * `.lock`, which PostgreSQL appends to the path for the lock file of the socket.
 */
const MAX_SOCKET_PATH_BYTES = 98;
/** Matches paths that can be quoted for a shell and for PostgreSQL. */
const QUOTABLE_PATH = /^[^'"\\]+$/;

/**
 * Returns the folder for the Unix socket of a cluster's server. Statements need less time through the socket than
 * through TCP: see decision record 145. Returns undefined on Windows, and if the path is too long or contains quotes or
 * backslashes.
 *
 * @param home folder that contains the cluster
 */
export function chooseSocketFolder(home: string): string | undefined {
  const isShort = Buffer.byteLength(getSocketPath(home, 65_535)) <= MAX_SOCKET_PATH_BYTES;
  return process.platform !== 'win32' && QUOTABLE_PATH.test(home) && isShort ? home : undefined;
}

/**
 * Returns the value of PostgreSQL's setting `unix_socket_directories`, quoted for a shell.
 *
 * @param folder undefined if the server has no socket
 */
export function formatSocketSetting(folder: string | undefined): string {
  return folder === undefined ? '' : `'"${folder}"'`;
}

/** Returns the folder with the socket of a running server, or undefined if the server listens only at a TCP port. */
export async function findSocketFolder(home: string, port: number): Promise<string | undefined> {
  const folder = chooseSocketFolder(home);
  if (folder === undefined) return undefined;
  const found = await stat(getSocketPath(folder, port)).catch(() => undefined);
  return found?.isSocket() === true ? folder : undefined;
}

/**
 * Removes the lock file of a socket whose server was killed. PostgreSQL does so itself, unless another program has the
 * process id of the killed server.
 */
export async function removeStaleSocketLock(home: string, port: number, cluster: string): Promise<void> {
  const lock = `${getSocketPath(home, port)}.lock`;
  const content = await readFileIfExists(lock);
  if (content === undefined || (await isProcessWorkingIn(Number(content.split('\n')[0]), cluster))) return;
  await removeStaleFile(lock, content);
}

function getSocketPath(folder: string, port: number): string {
  return join(folder, `.s.PGSQL.${port}`);
}
