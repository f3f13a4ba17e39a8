import { randomBytes } from 'node:crypto';
import { chown, link, readFile, rm, writeFile } from 'node:fs/promises';
import { getErrorCode } from './error-code.js';
import type { Identity } from './run-program.js';

/**
 * Returns the password of the superuser. It is generated once and stored in a file that only its owner can read.
 *
 * @param owner is the account that must be able to read it; undefined for that of this process
 */
export async function ensurePassword(path: string, owner: Identity | undefined): Promise<string> {
  return (await readPassword(path)) ?? (await createPassword(path, owner));
}

async function readPassword(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a temporary file and links it, so that the file is never incomplete and concurrent starts get the same
 * password.
 */
async function createPassword(path: string, owner: Identity | undefined): Promise<string> {
  const temporary = `${path}-${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
  if (owner !== undefined) await chown(temporary, owner.uid, owner.gid);
  await link(temporary, path).catch((error: unknown) => {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  });
  await rm(temporary);
  return readFile(path, 'utf8');
}
