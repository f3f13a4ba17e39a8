import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from './processes.js';

/**
 * Represents the use of a server by a process, recorded in a file `<process id>-<random>`. Several processes can share
 * a server, and the last one stops it. The id in the file name shows whether the process still exists.
 */
export interface Lease {
  /** Removes the lease. @returns true if no other process uses the server */
  release(): Promise<boolean>;
  /** Writes the lease again, because another process may have removed it while the server was starting or not running. */
  renew(): Promise<void>;
  /**
   * Removes the leases that are older than this one. Call it if this process started the server: all older leases are
   * then stale, even if their process ids now belong to other processes.
   */
  removeOlderLeases(): Promise<void>;
}

export async function acquireLease(home: string): Promise<Lease> {
  const folder = join(home, 'users');
  const own = `${process.pid}-${randomBytes(6).toString('hex')}`;
  await mkdir(folder, { recursive: true });
  const renewLease = (): Promise<void> => writeFile(join(folder, own), '');
  await renewLease();
  const { mtimeMs } = await stat(join(folder, own));

  const listOtherLeases = async (): Promise<readonly string[]> =>
    (await readdir(folder)).filter((name) => name !== own);
  const removeLease = async (name: string): Promise<void> => rm(join(folder, name), { force: true });
  return {
    renew: renewLease,
    async release() {
      await removeLease(own);
      return (await listOtherLeases()).every((name) => !isProcessAlive(Number(name.split('-')[0])));
    },
    async removeOlderLeases() {
      for (const name of await listOtherLeases()) {
        const age = await stat(join(folder, name)).catch(() => undefined);
        if (age !== undefined && age.mtimeMs < mtimeMs) await removeLease(name);
      }
    },
  };
}
