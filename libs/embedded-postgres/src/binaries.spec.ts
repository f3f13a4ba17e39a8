import { mkdtemp, readFile, mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findInstalledBinaries } from './binaries.js';
import { createMissingSymlinks } from './create-missing-symlinks.js';

describe('findInstalledBinaries', () => {
  it('findInstalledBinaries rejects an unsupported platform with an error that names the platform and the variable `DATABASE_URL`', async () => {
    await expect(findInstalledBinaries('sunos', 'sparc')).rejects.toThrow(/sunos-sparc.*set DATABASE_URL/);
  });

  it('findInstalledBinaries throws an error that names the variable `DATABASE_URL` if npm did not install the programs', async () => {
    const other = process.platform === 'win32' ? 'darwin' : 'win32';
    await expect(findInstalledBinaries(other, 'x64')).rejects.toThrow(/is not installed.*set DATABASE_URL/);
  });
});

describe('createMissingSymlinks', () => {
  it('createMissingSymlinks creates missing symbolic links and leaves existing ones unchanged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-links-'));
    const lib = join(folder, 'native', 'lib');
    await mkdir(lib, { recursive: true });
    await writeFile(join(lib, 'libpq.so.5.18'), 'library');
    const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
      source: 'native/lib/libpq.so.5.18',
      target: `native/lib/${name}`,
    }));
    await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));

    await createMissingSymlinks(join(folder, 'native'));
    await createMissingSymlinks(join(folder, 'native'));
    expect(await readlink(join(lib, 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await readFile(join(lib, 'libpq.so'), 'utf8')).toBe('library');
    await rm(folder, { recursive: true });
  });
});
