import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, expect, it, describe } from 'vitest';
import { removeAbandonedCopies } from './local-copy.js';

/** Creates a temporary file as a killed worker with this process id would have left it. */
async function createAbandonedCopy(pid: number): Promise<string> {
  const name = `quarry-reading-${pid}-${randomUUID()}`;
  await writeFile(join(tmpdir(), name), 'bytes');
  onTestFinished(() => rm(join(tmpdir(), name), { force: true }));
  return name;
}

async function runToEnd(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('removeAbandonedCopies', () => {
  it('removeAbandonedCopies removes local copies of exited processes, and keeps those of running processes', async () => {
    const [ended, parent, own] = [
      await createAbandonedCopy(await runToEnd()),
      await createAbandonedCopy(process.ppid),
      await createAbandonedCopy(process.pid),
    ];
    await removeAbandonedCopies();
    const left = await readdir(tmpdir());
    expect([ended, parent, own].map((name) => left.includes(name))).toEqual([false, true, true]);
  });

  it('removeAbandonedCopies removes a local copy whose name contains the id of this process if the copy is older than this process', async () => {
    const [before, now] = [await createAbandonedCopy(process.pid), await createAbandonedCopy(process.pid)];
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(join(tmpdir(), before), yesterday, yesterday);
    await removeAbandonedCopies();
    const left = await readdir(tmpdir());
    expect([before, now].map((name) => left.includes(name))).toEqual([false, true]);
  });
});
