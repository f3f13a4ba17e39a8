import { readFile, stat } from 'node:fs/promises';
import type { Identity } from './run-program.js';

const CANDIDATES = ['postgres', 'nobody'];

/**
 * The account that PostgreSQL runs under: it refuses root's.
 *
 * @param wanted the name of an account; without it `postgres`, else `nobody`
 * @returns undefined when this process is not root's: then its own account does
 * @throws when the account does not exist
 */
export async function findSystemUser(wanted: string | undefined): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'));
  const names = wanted === undefined ? CANDIDATES : [wanted];
  const found = names.map((name) => accounts.get(name)).find((account) => account !== undefined);
  if (found === undefined || found.uid === 0)
    throw new Error(
      `PostgreSQL does not run as root, and needs an account without rights: found none of ${names.join(', ')} in /etc/passwd. Set DATABASE_URL to the address of a PostgreSQL server, or start as another user`,
    );
  return found;
}

/** The account that a folder belongs to; undefined when it is this process's own, or the folder is not there. */
export async function ownerOf(folder: string): Promise<Identity | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return uid === process.getuid?.() ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

function parseAccounts(passwd: string): ReadonlyMap<string, Identity> {
  return new Map(
    passwd.split('\n').flatMap((line) => {
      const [name, , uid, gid] = line.split(':');
      return name === undefined || uid === undefined || gid === undefined
        ? []
        : [[name, { uid: Number(uid), gid: Number(gid) }] as const];
    }),
  );
}
