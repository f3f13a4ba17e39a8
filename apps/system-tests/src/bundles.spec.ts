import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAppEntry, getModuleEntry } from './quarry/app-entry.js';
import { DEFERRED, listLoadedModules, listPackages } from './quarry/loaded-modules.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/bundle-app.mjs', import.meta.url));
const run = promisify(execFile);
const reason = getAppEntry('query') === getModuleEntry('query') ? ' (skipped: only npm test writes the bundles)' : '';
/**
 * Exclusive maximum of the number of files that a service loads when it starts from its bundle. Without a bundle, a
 * service loads more than a thousand files.
 */
const MAX_FILES = 15;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-bundles-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(reason !== '')(`a start of a bundle${reason}`, () => {
  const apps = ['gateway', 'query', 'ingestion-worker', 'crawler', 'catalog-sync'];

  it.each(apps)(
    'at its start, the bundle of %s loads fewer than 15 files, and loads no package that only later requests need',
    async (app) => {
      const urls = (await listLoadedModules(getAppEntry(app), join(folder, app))).split('\n');
      const files = urls.filter((url) => url.includes('/dist/bundle/')).map((url) => fileURLToPath(url));
      expect(files.length).toBeLessThan(MAX_FILES);
      const texts = await Promise.all(files.map(async (file) => readFile(file, 'utf8')));
      // The bundler writes the path of each module in a comment before the code of the module.
      const paths = texts.flatMap((text) =>
        [...text.matchAll(/^\s*\/\/ (\S+\.[cm]?js)$/gm)].map(([, path]) => `/${path}`),
      );
      const loaded = listPackages(paths.join('\n'));
      expect(loaded).toContain('express');
      expect(DEFERRED.filter((name) => loaded.has(name))).toEqual([]);
    },
  );
});

describe('a bundle', () => {
  async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }

  it('a bundled module resolves paths relative to its original folder, and bundled classes retain their names', async () => {
    await writeFiles({
      'package.json': '{"type":"module"}',
      'apps/reader/dist/main.js': `
        import { readFileSync } from 'node:fs';
        import { path, Found } from '../../../libs/found/index.js';
        const { Found: Other } = await import('../../../libs/other/index.js');
        const texts = [new URL('./here.txt', import.meta.url), path].map((file) => readFileSync(file, 'utf8'));
        console.log([...texts, Found.name, Other.name].join(' '));`,
      'apps/reader/dist/here.txt': 'here',
      'libs/found/package.json': '{"type":"commonjs"}',
      'libs/found/index.js': `exports.path = require('path').join(__dirname, 'there.txt'); exports.Found = class Found {};`,
      'libs/found/there.txt': 'there',
      'libs/other/index.js': 'export class Found {}',
    });
    await run(process.execPath, [SCRIPT, folder, 'apps/reader']);
    const { stdout } = await run(process.execPath, [join(folder, 'apps/reader/dist/bundle/main.js')]);
    expect(stdout).toBe('here there Found Found\n');
  });
});
