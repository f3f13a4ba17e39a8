import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '@quarry/service-kit';

export interface InstanceLock {
  release(): void;
}

/**
 * Keeps a data folder to one process. The lock is SQLite's lock on a file, which the operating system gives back when the
 * process ends, however it ends: there is no stale lock to clean up after a crash.
 *
 * @throws ConfigurationError naming the process that uses the folder
 */
export function lockDataDirectory(directory: string): InstanceLock {
  const holder = join(directory, 'instance.json');
  const file = new DatabaseSync(join(directory, 'instance.lock'));
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw new ConfigurationError(
      [`the data folder ${directory} is used by another Quarry (${describe(holder)}); stop it, or set QUARRY_DATA_DIR`],
      { cause: error },
    );
  }
  writeFileSync(holder, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
  return {
    release: () => {
      rmSync(holder, { force: true });
      file.close();
    },
  };
}

function describe(holder: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(holder, 'utf8')) as { pid: number; since: string }; // written above
    return `process ${pid}, since ${since}`;
  } catch {
    return 'which is just starting';
  }
}
