import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDirectory } from './instance-lock.js';

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
     const file = new DatabaseSync(${JSON.stringify(join(directory, 'instance.lock'))});
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

describe('lockDataDirectory', () => {
  it('refuses a folder that is in use, and names who uses it', () => {
    const lock = lockDataDirectory(directory);
    expect(() => lockDataDirectory(directory)).toThrow(`process ${process.pid}, since `);
    lock.release();
  });

  it('can be taken again after it was given back', () => {
    lockDataDirectory(directory).release();
    lockDataDirectory(directory).release();
  });

  it('is free again when the process that held it was killed', async () => {
    const holder = await otherHolder();
    expect(() => lockDataDirectory(directory)).toThrow(/used by another Quarry/);
    await holder.kill();
    lockDataDirectory(directory).release();
  });
});
