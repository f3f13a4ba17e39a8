import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './processes.js';

/**
 * Who uses a server: one file `<process id>-<random>` for each. Several processes can share one, and the last to leave stops
 * it; one that was killed is told by its process id.
 */
export interface Lease {
  /** @returns whether nobody else uses the server */
  release(): Promise<boolean>;
  /** Writes the lease again, in case another process dropped it while the server was down. */
  renew(): Promise<void>;
  /** Drops the leases of before, which a server that was found down shows to be dead, whatever their process ids say. */
  dropOlder(): Promise<void>;
}

export async function takeLease(home: string): Promise<Lease> {
  const folder = join(home, 'users');
  const own = `${process.pid}-${randomBytes(6).toString('hex')}`;
  await mkdir(folder, { recursive: true });
  const renew = (): Promise<void> => writeFile(join(folder, own), '');
  await renew();
  const { mtimeMs } = await stat(join(folder, own));

  const others = async (): Promise<readonly string[]> => (await readdir(folder)).filter((name) => name !== own);
  const drop = async (name: string): Promise<void> => rm(join(folder, name), { force: true });
  return {
    renew,
    async release() {
      await drop(own);
      return (await others()).every((name) => !isAlive(Number(name.split('-')[0])));
    },
    async dropOlder() {
      for (const name of await others()) {
        const age = await stat(join(folder, name)).catch(() => undefined);
        if (age !== undefined && age.mtimeMs < mtimeMs) await drop(name);
      }
    },
  };
}
