import { randomBytes } from 'node:crypto';
import { chown, link, readFile, rm, writeFile } from 'node:fs/promises';
import { getErrorCode } from './error-code.js';
import type { Identity } from './run-program.js';

/**
 * Returns the password of the superuser. Generates it at the first call, and stores it in a file that only its owner
 * can read.
 *
 * @param owner the account that owns the file; undefined: the account of this process
 */
export async function readOrCreatePassword(path: string, owner: Identity | undefined): Promise<string> {
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
 * Creates the file of the password. Links a temporary file to the path, so that the file is never incomplete, and
 * concurrent starts use the same password.
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
