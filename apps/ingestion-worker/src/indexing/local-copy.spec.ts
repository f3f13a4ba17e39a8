import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, expect, it, describe } from 'vitest';
import { removeAbandonedCopies } from './local-copy.js';

/** Creates the copy that a killed worker with this process id leaves behind. */
async function copyOf(pid: number): Promise<string> {
  const name = `quarry-reading-${pid}-${randomUUID()}`;
  await writeFile(join(tmpdir(), name), 'bytes');
  onTestFinished(() => rm(join(tmpdir(), name), { force: true }));
  return name;
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('removeAbandonedCopies', () => {
  it('removes copies of processes that have exited, and no others', async () => {
    const [ended, parent, own] = [
      await copyOf(await endedProcess()),
      await copyOf(process.ppid),
      await copyOf(process.pid),
    ];
    await removeAbandonedCopies();
    const left = await readdir(tmpdir());
    expect([ended, parent, own].map((name) => left.includes(name))).toEqual([false, true, true]);
  });

  it('removes copies that are older than the current process with the same id', async () => {
    const [before, now] = [await copyOf(process.pid), await copyOf(process.pid)];
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(join(tmpdir(), before), yesterday, yesterday);
    await removeAbandonedCopies();
    const left = await readdir(tmpdir());
    expect([before, now].map((name) => left.includes(name))).toEqual([false, true]);
  });
});
