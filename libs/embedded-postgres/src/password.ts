import { randomBytes } from 'node:crypto';
import { chown, link, readFile, rm, writeFile } from 'node:fs/promises';
import { codeOf } from './error-code.js';
import type { Identity } from './run-program.js';

/**
 * The superuser's password: made once, and kept in a file that its owner alone can read.
 *
 * @param owner the account that must be able to read it; undefined for this process's own
 */
export async function keptPassword(path: string, owner: Identity | undefined): Promise<string> {
  return (await read(path)) ?? (await make(path, owner));
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written aside and linked: the file is never seen half-written, and of two starts at once both get the same word. */
async function make(path: string, owner: Identity | undefined): Promise<string> {
  const aside = `${path}-${randomBytes(6).toString('hex')}`;
  await writeFile(aside, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
  if (owner !== undefined) await chown(aside, owner.uid, owner.gid);
  await link(aside, path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await rm(aside);
  return readFile(path, 'utf8');
}
