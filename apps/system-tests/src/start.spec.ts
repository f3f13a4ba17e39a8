import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const { serviceEnvironment } = (await import(new URL('../../../scripts/toolchain.mjs', import.meta.url).href)) as {
  readonly serviceEnvironment: (extra?: object) => Readonly<Record<string, string>>;
}; // the exports of the script

const APPS = fileURLToPath(new URL('../../', import.meta.url));
/** Prints the address of each module that is loaded. */
const PRINT_MODULES = `
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
`;

/** Starts an app with an invalid port, which it refuses when its modules are loaded. @returns the packages that it loaded */
async function listLoadedPackages(app: string): Promise<ReadonlySet<string>> {
  const hooks = `data:text/javascript,${encodeURIComponent(PRINT_MODULES)}`;
  const child = spawn(process.execPath, ['--import', hooks, `${APPS}${app}/dist/main.js`], {
    env: { PATH: process.env['PATH'], QUARRY_PORT: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [modules, output] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(output).toContain('QUARRY_PORT must be');
  return new Set([...modules.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(([, name = '']) => name));
}

it.each(['standalone', 'gateway', 'query', 'ingestion-worker'])(
  'a start of %s loads no package that few installations or only later requests need',
  async (app) => {
    const loaded = await listLoadedPackages(app);
    expect(loaded).toContain('express');
    const deferred = ['@langchain/openai', '@modelcontextprotocol/server', 'gpt-tokenizer', 'openai', 'zod'];
    expect(deferred.filter((name) => loaded.has(name))).toEqual([]);
  },
);

it('npm start stores compiled code in node_modules, unless the environment names another folder', () => {
  expect(serviceEnvironment()['NODE_COMPILE_CACHE']).toMatch(/node_modules.\.cache.quarry-code$/);
  expect(serviceEnvironment({ NODE_COMPILE_CACHE: '/tmp/code' })['NODE_COMPILE_CACHE']).toBe('/tmp/code');
});
