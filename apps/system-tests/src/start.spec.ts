import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listDescendantProcesses } from './faults/list-processes.js';
import { getModuleEntry } from './quarry/app-entry.js';
import { createDataFolder } from './quarry/data-folder.js';
import { DEFERRED, listLoadedModules, listPackages, RECORDING } from './quarry/loaded-modules.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';
import { createTextFile } from './quarry/text-file.js';

const { createServiceEnvironment } = (await import(
  new URL('../../../scripts/toolchain.mjs', import.meta.url).href
)) as {
  readonly createServiceEnvironment: (extra?: object) => Readonly<Record<string, string>>;
}; // the exports of the script

/** Lists npm packages of which several installed copies with the same version were loaded. */
function listDuplicates(modules: string): readonly string[] {
  const folders = new Set(
    [...modules.matchAll(/^file:\/\/(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//gm)].map(([, folder = '']) => folder),
  );
  const versions = [...folders].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    return `${String(name)}@${String(version)}`;
  });
  return versions.filter((version, index) => versions.indexOf(version) !== index);
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-start-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe.each(['gateway', 'query', 'ingestion-worker', 'crawler', 'catalog-sync'])('a start of %s', (app) => {
  let modules: string;

  beforeAll(async () => {
    modules = await listLoadedModules(getModuleEntry(app), join(folder, app));
  });

  it('at its start, a service loads no package that only some installations or later requests need', () => {
    const loaded = listPackages(modules);
    expect(loaded).toContain('express');
    expect(DEFERRED.filter((name) => loaded.has(name))).toEqual([]);
  });

  it('at its start, a service loads at most one copy of each version of a package', () => {
    expect(listDuplicates(modules)).toEqual([]);
  });
});

describe('a start of a standalone Quarry', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;
  let modules: string;

  beforeAll(async () => {
    // Quarry starts without its bundle, because the modules of a bundle are not loaded one by one.
    vi.stubEnv('QUARRY_SYSTEM_TEST_BUNDLES', undefined);
    dataDirectory = await createDataFolder();
    const file = join(folder, 'standalone');
    quarry = await startQuarry(dataDirectory, { NODE_OPTIONS: RECORDING, MODULES_FILE: file });
    modules = await readFile(file, 'utf8');
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('at its start, a standalone Quarry loads no package that only some installations or later requests need', () => {
    const loaded = listPackages(modules);
    expect(loaded).toContain('bullmq');
    expect(DEFERRED.filter((name) => loaded.has(name))).toEqual([]);
  });

  it('at its start, a standalone Quarry loads at most one copy of each version of a package', () => {
    expect(listDuplicates(modules)).toEqual([]);
  });

  it('a standalone Quarry loads the modules of its services while PostgreSQL starts', () => {
    const [, before = '', meanwhile = ''] = /^([^]*)runs \S*pg_ctl\n([^]*)ran \S*pg_ctl\n/.exec(modules) ?? [];
    expect(before).toContain('/libs/embedded-postgres/dist/');
    expect(before).not.toMatch(/\/(libs\/queue-bullmq|apps\/(query|crawler|ingestion-worker))\/dist\//);
    expect(meanwhile).toContain('/apps/standalone/dist/service-modules.js');
  });

  it('a standalone Quarry starts its first reader process when a document is uploaded', async () => {
    expect(await listDescendantProcesses(quarry.pid)).toEqual([]);
    const client = createClient({ baseUrl: quarry.baseUrl, apiKey: ROOT_KEY });
    const { id } = await client.createDatastore({ name: 'Stones' });
    const document = await client.uploadFile(id, createTextFile('stones.txt', 'Granite is a stone.'));
    expect(await client.untilSettled(document.id)).toMatchObject({ status: 'synched' });
    expect((await listDescendantProcesses(quarry.pid)).map(({ command }) => command)).toEqual([
      expect.stringContaining('reader-process.js'),
    ]);
  });
});

it('npm start stores compiled code in node_modules, unless an environment variable selects another folder', () => {
  expect(createServiceEnvironment()['NODE_COMPILE_CACHE']).toMatch(/node_modules.\.cache.quarry-code$/);
  expect(createServiceEnvironment({ NODE_COMPILE_CACHE: '/tmp/code' })['NODE_COMPILE_CACHE']).toBe('/tmp/code');
});

it('the processes of Quarry have a limit for the size of V8’s semi-spaces, which NODE_OPTIONS in the environment overrides', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('NODE_OPTIONS', undefined);
  expect(createServiceEnvironment()['NODE_OPTIONS']).toBe('--max-semi-space-size=16');
  vi.stubEnv('NODE_OPTIONS', '--max-semi-space-size=32');
  expect(createServiceEnvironment()['NODE_OPTIONS']).toBe('--max-semi-space-size=16 --max-semi-space-size=32');
});
