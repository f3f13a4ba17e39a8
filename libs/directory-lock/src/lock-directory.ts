import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Result code SQLITE_BUSY: another connection has locked the file. Source: https://www.sqlite.org/rescode.html. */
const BUSY = 5;

export interface DirectoryLock {
  release(): void;
}

/** Reports that a folder is locked by another process or by this one. */
export class DirectoryInUse extends Error {
  readonly directory: string;
  /** Describes the process that has the lock, such as `process 123, since 2026-01-31T12:00:00.000Z`. */
  readonly holder: string;

  constructor(directory: string, holder: string, cause: unknown) {
    super(`expected the folder ${directory} to be free, found it in use by ${holder}`, { cause });
    this.name = 'DirectoryInUse';
    this.directory = directory;
    this.holder = holder;
  }
}

/**
 * Locks a folder for one purpose, with an exclusive SQLite transaction on the file `<purpose>.lock` in the folder. The
 * operating system releases the lock when the process ends, so a crash leaves no stale lock.
 *
 * @throws DirectoryInUse if the folder is already locked for the purpose
 */
export function lockDirectory(directory: string, purpose: string): DirectoryLock {
  const holder = join(directory, `${purpose}.json`);
  const file = new DatabaseSync(join(directory, `${purpose}.lock`));
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (getErrorCode(error) !== BUSY) throw error;
    throw new DirectoryInUse(directory, describeLockHolder(holder), error);
  }
  writeFileSync(holder, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
  return {
    release: () => {
      rmSync(holder, { force: true });
      file.close();
    },
  };
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}

function describeLockHolder(holder: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(holder, 'utf8')) as { pid: number; since: string }; // written above
    return `process ${String(pid)}, since ${since}`;
  } catch {
    return 'a process that is starting';
  }
}
