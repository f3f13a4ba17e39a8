import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryInUse, lockDirectory } from './lock-directory.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-lock-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** Starts a process that locks the folder for the purpose `writer` until the process is killed. */
async function startLockingProcess(): Promise<{ kill(): Promise<void> }> {
  const script = join(directory, 'holder.mjs');
  writeFileSync(
    script,
    `import { DatabaseSync } from 'node:sqlite';
     const file = new DatabaseSync(${JSON.stringify(join(directory, 'writer.lock'))});
     file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
     process.send('locked');
     setInterval(() => {}, 1000);`,
  );
  const child = fork(script);
  await once(child, 'message');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('lockDirectory', () => {
  it('lockDirectory rejects a folder that is in use, with an error that names the folder and the process that has locked it', () => {
    const lock = lockDirectory(directory, 'writer');
    const lockAgain = (): unknown => lockDirectory(directory, 'writer');
    expect(lockAgain).toThrow(DirectoryInUse);
    expect(lockAgain).toThrow(`the folder ${directory} to be free, found it in use by process ${process.pid}, since `);
    lock.release();
  });

  it('lockDirectory can lock the same folder for two different purposes at the same time', () => {
    const locks = ['writer', 'instance'].map((purpose) => lockDirectory(directory, purpose));
    for (const lock of locks) lock.release();
  });

  it('a lock can be acquired again after its release', () => {
    lockDirectory(directory, 'writer').release();
    lockDirectory(directory, 'writer').release();
  });

  it('a lock is released when its process is killed', async () => {
    const holder = await startLockingProcess();
    expect(() => lockDirectory(directory, 'writer')).toThrow(DirectoryInUse);
    await holder.kill();
    lockDirectory(directory, 'writer').release();
  });

  it('if the folder does not exist, lockDirectory throws an error other than DirectoryInUse', () => {
    const lockAgain = (): unknown => lockDirectory(join(directory, 'absent'), 'writer');
    expect(lockAgain).toThrow();
    expect(lockAgain).not.toThrow(DirectoryInUse);
  });
});
