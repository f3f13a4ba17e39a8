import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstalledBinaries, getProgramPath } from './binaries.js';
import {
  writeStoredText,
  readStoredText,
  createTemporaryFolder,
  removeTemporaryFolder,
  startServerForTest,
} from './fixtures/test-server.js';
import { determinePlacement } from './placement.js';
import { runProgram } from './run-program.js';
import { findUnprivilegedAccount } from './system-user.js';

let folder: string;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});

afterAll(async () => {
  await removeTemporaryFolder(folder);
});

describe.skipIf(process.getuid?.() === 0)(
  'embedded PostgreSQL under an account other than root (skipped as root)',
  () => {
    it('the error for a folder that this process cannot access names the owner of the folder', async () => {
      const directory = join(folder, 'closed');
      await mkdir(directory, { mode: 0o500 });
      await expect(startServerForTest({ directory })).rejects.toThrow(
        /closed belongs to user \d+ and is not accessible to user \d+/,
      );
    });
  },
);

describe.skipIf(process.getuid?.() !== 0)('embedded PostgreSQL under root (skipped for others)', () => {
  it('a start as root places the database where the account of PostgreSQL can access it, and later starts find it there', async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const lines: string[] = [];
    const settings = {
      directory: join(closed, 'data'),
      reachableFolder: join(folder, 'reachable'),
      log: { info: (line: string) => void lines.push(line), warn: () => undefined },
    };

    const first = await startServerForTest(settings);
    expect(first.home.startsWith(settings.reachableFolder)).toBe(true);
    expect(lines.join('\n')).toContain(`cannot access ${settings.directory}`);
    await writeStoredText(first.url, 'moved');
    await first.stop();

    await chmod(closed, 0o755);
    const second = await startServerForTest(settings);
    expect(await readStoredText(second.url)).toBe('moved');
    await second.stop();

    await rm(first.home, { recursive: true });
    await expect(startServerForTest(settings)).rejects.toThrow(`in ${first.home}, found no such folder`);
  });

  it('a start as root copies the programs once per version, with their library links, if the account of PostgreSQL cannot run them', async () => {
    const reachableFolder = join(folder, 'programs');
    const hidden = join(folder, 'hidden');
    await mkdir(hidden, { mode: 0o700 });
    const installed = await findInstalledBinaries();
    await cp(installed.nativeFolder, join(hidden, 'native'), { recursive: true, verbatimSymlinks: true });
    await rm(join(hidden, 'native', 'lib', 'libicui18n.so.60'));
    const request = {
      directory: join(folder, 'data'),
      binaries: { ...installed, nativeFolder: join(hidden, 'native') },
      systemUser: await findUnprivilegedAccount(undefined),
      reachableFolder,
      log: () => undefined,
    };

    const first = await determinePlacement(request);
    const second = await determinePlacement(request);
    expect(second).toEqual(first);
    expect(await readdir(reachableFolder)).toEqual([`postgres-${installed.version}`]);
    const run = await runProgram(getProgramPath(first.binaries, 'postgres'), ['--version'], {
      timeoutMs: 10_000,
      as: first.identity,
    });
    expect(run).toMatchObject({ exitCode: 0, output: expect.stringContaining('PostgreSQL') as string });
  });

  it('findUnprivilegedAccount rejects an account that does not exist, and the account `root`', async () => {
    await expect(findUnprivilegedAccount('nobody-of-this-name')).rejects.toThrow('nobody-of-this-name');
    await expect(findUnprivilegedAccount('root')).rejects.toThrow('does not run as root');
  });
});
