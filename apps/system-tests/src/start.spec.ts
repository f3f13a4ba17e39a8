import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDescendants } from './faults/list-processes.js';
import { makeDataFolder } from './quarry/data-folder.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';
import { createTextFile } from './quarry/text-file.js';

const { serviceEnvironment } = (await import(new URL('../../../scripts/toolchain.mjs', import.meta.url).href)) as {
  readonly serviceEnvironment: (extra?: object) => Readonly<Record<string, string>>;
}; // the exports of the script

const APPS = fileURLToPath(new URL('../../', import.meta.url));
/** Prints the address of each module that is loaded, and the starts and ends of programs. */
const PRINT_MODULES = `
  import { subscribe } from 'node:diagnostics_channel';
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });
  subscribe('tracing:child_process.spawn:start', ({ process }) => {
    console.error('runs ' + process.spawnfile);
    process.once('exit', () => console.error('ran ' + process.spawnfile));
  });
`;
const PRINTING = `--import=data:text/javascript,${encodeURIComponent(PRINT_MODULES)}`;
/** Packages that few installations or only later requests need. */
const DEFERRED = ['@langchain/openai', '@modelcontextprotocol/server', 'gpt-tokenizer', 'openai', 'zod'];

function listPackages(output: string): ReadonlySet<string> {
  return new Set([...output.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(([, name = '']) => name));
}

/** Starts a service with an invalid port, which it refuses when its modules are loaded. @returns the packages that it loaded */
async function listLoadedPackages(app: string): Promise<ReadonlySet<string>> {
  const child = spawn(process.execPath, [PRINTING, `${APPS}${app}/dist/main.js`], {
    env: { PATH: process.env['PATH'], QUARRY_PORT: 'none' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output = await text(child.stderr);
  expect(output).toContain('QUARRY_PORT must be');
  return listPackages(output);
}

it.each(['gateway', 'query', 'ingestion-worker'])(
  'a start of %s loads no package that few installations or only later requests need',
  async (app) => {
    const loaded = await listLoadedPackages(app);
    expect(loaded).toContain('express');
    expect(DEFERRED.filter((name) => loaded.has(name))).toEqual([]);
  },
);

describe('a start of one machine', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;

  beforeAll(async () => {
    dataDirectory = await makeDataFolder();
    quarry = await startQuarry(dataDirectory, { NODE_OPTIONS: PRINTING });
  });

  afterAll(async () => {
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('loads no package that few installations or only later requests need', () => {
    const loaded = listPackages(quarry.output());
    expect(loaded).toContain('bullmq');
    expect(DEFERRED.filter((name) => loaded.has(name))).toEqual([]);
  });

  it('loads the modules of the services while PostgreSQL starts', () => {
    const [, before = '', meanwhile = ''] = /^([^]*)runs \S*pg_ctl\n([^]*)ran \S*pg_ctl\n/.exec(quarry.output()) ?? [];
    expect(before).toContain('/libs/embedded-postgres/dist/');
    expect(before).not.toMatch(/\/(libs\/queue-bullmq|apps\/(query|crawler|ingestion-worker))\/dist\//);
    expect(meanwhile).toContain('/apps/standalone/dist/machine.js');
  });

  it('starts a reader process with the first document', async () => {
    expect(await listDescendants(quarry.pid)).toEqual([]);
    const client = createClient({ baseUrl: quarry.baseUrl, apiKey: ROOT_KEY });
    const { id } = await client.createDatastore({ name: 'Stones' });
    const document = await client.uploadFile(id, createTextFile('stones.txt', 'Granite is a stone.'));
    expect(await client.untilSettled(document.id)).toMatchObject({ status: 'synched' });
    expect((await listDescendants(quarry.pid)).map(({ command }) => command)).toEqual([
      expect.stringContaining('reader-process.js'),
    ]);
  });
});

it('npm start stores compiled code in node_modules, unless the environment names another folder', () => {
  expect(serviceEnvironment()['NODE_COMPILE_CACHE']).toMatch(/node_modules.\.cache.quarry-code$/);
  expect(serviceEnvironment({ NODE_COMPILE_CACHE: '/tmp/code' })['NODE_COMPILE_CACHE']).toBe('/tmp/code');
});
