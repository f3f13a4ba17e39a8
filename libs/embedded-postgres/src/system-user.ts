import { readFile, stat } from 'node:fs/promises';
import type { Identity } from './run-program.js';

const CANDIDATES = ['postgres', 'nobody'];

/**
 * Returns the unprivileged account that runs PostgreSQL if this process is root. PostgreSQL itself refuses to run as
 * root.
 *
 * @param wanted the name of an account; default: `postgres` if it exists, otherwise `nobody`
 * @returns undefined if this process is not root, so that PostgreSQL runs with the account of this process
 * @throws Error if the account does not exist or is root
 */
export async function findUnprivilegedAccount(wanted: string | undefined): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parsePasswdFile(await readFile('/etc/passwd', 'utf8'));
  const names = wanted === undefined ? CANDIDATES : [wanted];
  const found = names.map((name) => accounts.get(name)).find((account) => account !== undefined);
  if (found === undefined || found.uid === 0)
    throw new Error(
      `PostgreSQL does not run as root, and needs an unprivileged account: found none of ${names.join(', ')} in /etc/passwd. Set DATABASE_URL to the address of a PostgreSQL server, or start as another user`,
    );
  return found;
}

/**
 * Returns the owner of a folder. Returns undefined if the owner is the account of this process, or the folder does not
 * exist.
 */
export async function findOtherOwner(folder: string): Promise<Identity | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return uid === process.getuid?.() ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

function parsePasswdFile(passwd: string): ReadonlyMap<string, Identity> {
  return new Map(
    passwd.split('\n').flatMap((line) => {
      const [name, , uid, gid] = line.split(':');
      return name === undefined || uid === undefined || gid === undefined
        ? []
        : [[name, { uid: Number(uid), gid: Number(gid) }] as const];
    }),
  );
}
