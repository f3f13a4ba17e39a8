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

/** A process that holds SQLite's lock on the same file until it is killed. */
async function otherHolder(): Promise<{ kill(): Promise<void> }> {
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
  it('refuses a folder that is in use, and names the folder and the process that uses it', () => {
    const lock = lockDirectory(directory, 'writer');
    const locking = (): unknown => lockDirectory(directory, 'writer');
    expect(locking).toThrow(DirectoryInUse);
    expect(locking).toThrow(`the folder ${directory} to be free, found it in use by process ${process.pid}, since `);
    lock.release();
  });

  it('locks a folder for each purpose by itself', () => {
    const locks = ['writer', 'instance'].map((purpose) => lockDirectory(directory, purpose));
    for (const lock of locks) lock.release();
  });

  it('can be taken again after it was released', () => {
    lockDirectory(directory, 'writer').release();
    lockDirectory(directory, 'writer').release();
  });

  it('is free again when the process that held it was killed', async () => {
    const holder = await otherHolder();
    expect(() => lockDirectory(directory, 'writer')).toThrow(DirectoryInUse);
    await holder.kill();
    lockDirectory(directory, 'writer').release();
  });

  it('does not take a folder that is not there for one in use', () => {
    const locking = (): unknown => lockDirectory(join(directory, 'absent'), 'writer');
    expect(locking).toThrow();
    expect(locking).not.toThrow(DirectoryInUse);
  });
});
