import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromiumPath } from './console/find-chromium-path.js';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { RunningStack } from './quarry/stack.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const getToolPath = (name: string): string => join(ROOT, 'node_modules', name);
const run = promisify(execFile);
const browserPath = findChromiumPath();
const NO_BROWSER = browserPath === undefined ? ' (skipped: Chromium is not installed)' : '';

/**
 * The body of the function `exerciseClient` in the test programs. It returns an object that the tests compare with
 * `EXPECTED`.
 */
const USE = `
  const quarry = createClient({ baseUrl, apiKey });
  const datastore = await quarry.createDatastore({ name: 'first' });
  await quarry.createDatastore({ name: 'second' });
  const names = [];
  for await (const { name } of quarry.listDatastores({ limit: 1 })) names.push(name);
  const { ids } = await quarry.upsertDocuments(datastore.id, [{ name: 'facts', text: 'The blue door opens at nine.' }]);
  for (const id of ids) await quarry.untilSettled(id);
  const agent = await quarry.createAgent({ name: 'porter', datastoreIds: [datastore.id] });
  let streamed = '';
  for await (const event of quarry.streamAgent(agent.id, { query: 'When does the blue door open?' })) {
    if (event.type === 'answer') streamed += event.text;
  }
  const missing = await quarry.getAgent('00000000-0000-7000-8000-00000000dead').catch((error) => error);
  const steps = [];
  const file = new File(['a line of text\\n'.repeat(200_000)], 'lines.txt', { type: 'text/plain' });
  const { name: uploaded } = await quarry.uploadFile(datastore.id, file, { onProgress: (step) => steps.push(step) });
  const { sentBytes, totalBytes } = steps.at(-1);
  const isWhole = sentBytes === totalBytes && totalBytes > file.size;
  return { names: names.slice(0, 2), streamed, isQuarryError: missing instanceof QuarryError, uploaded, isWhole };
`;
const EXPECTED = {
  names: ['second', 'first'],
  streamed: expect.stringContaining('opens at nine') as unknown,
  isQuarryError: true,
  uploaded: 'lines.txt',
  isWhole: true,
};
const PRINT =
  'exerciseClient(process.argv[2], process.argv[3]).then((found) => console.log(JSON.stringify(found)), (error) => { console.error(error); process.exit(1); });';

const PROGRAMS: Readonly<Record<string, string>> = {
  'use.mjs': `import { createClient, QuarryError } from '@quarry/client';
async function exerciseClient(baseUrl, apiKey) {${USE}}
${PRINT}`,
  'use.cjs': `const { createClient, QuarryError } = require('@quarry/client');
async function exerciseClient(baseUrl, apiKey) {${USE}}
${PRINT}`,
  'types.mts': `import { createClient, QuarryError, type Agent, type Datastore } from '@quarry/client';
const quarry = createClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'k' });
export async function listNames(): Promise<readonly string[]> {
  const found: Agent[] = [];
  for await (const agent of quarry.listAgents({ limit: 5 })) found.push(agent);
  const page: { readonly next_cursor: string | null } = await quarry.listAgents();
  return [...found.map(({ name }) => name), page.next_cursor ?? ''];
}
// @ts-expect-error: a name is a string
export const wrong: Promise<Datastore> = quarry.createDatastore({ name: 7 });
export const isKnown = (error: unknown): error is QuarryError => error instanceof QuarryError;
`,
  'types.cts': `import { createClient, QuarryError, type Agent } from '@quarry/client';
export const ask = async (id: string): Promise<Agent> => createClient({ baseUrl: '/api' }).getAgent(id);
export const isKnown = (error: unknown): error is QuarryError => error instanceof QuarryError;
`,
  'langchain.mjs': `import { QuarryRetriever, QuarryVectorStore } from '@quarry/client/langchain';
console.log(QuarryRetriever.lc_name(), typeof QuarryVectorStore);`,
  'langchain.cjs': `const { QuarryRetriever, QuarryVectorStore } = require('@quarry/client/langchain');
console.log(QuarryRetriever.lc_name(), typeof QuarryVectorStore);`,
  'langchain.mts': `import { createClient } from '@quarry/client';
import { QuarryRetriever, QuarryVectorStore } from '@quarry/client/langchain';
import type { BaseRetriever } from '@langchain/core/retrievers';
const fields = { quarry: createClient({ baseUrl: '/api' }), datastoreId: 'd' };
export const retriever: BaseRetriever = new QuarryRetriever({ ...fields, k: 2 });
export const other: BaseRetriever = new QuarryVectorStore(fields).asRetriever(2, { custom_ids: ['c'] });
`,
  'page.js': `import { createClient, QuarryError } from '@quarry/client';
globalThis.exerciseClient = async (baseUrl, apiKey) => {${USE}};
`,
};

let project: string;
let packed: readonly string[];
let stack: RunningStack | undefined;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'quarry-client-'));
  const { stdout } = await run('npm', ['pack', '-w', '@quarry/client', '--json', '--pack-destination', project], {
    cwd: ROOT,
  });
  packed = listPackedFiles(stdout);
  await writeFile(join(project, 'package.json'), '{"private":true}');
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(project, name), text);
  const tarball = (await readdir(project)).find((name) => name.endsWith('.tgz')) ?? '';
  await run('npm', ['install', '--offline', '--ignore-scripts', `./${tarball}`], { cwd: project });
  await symlink(getToolPath('@langchain'), join(project, 'node_modules/@langchain'));
  stack = await oneMachineStack.start({}, []);
}, 180_000);
afterAll(async () => {
  await stack?.stop();
  await rm(project, { recursive: true, force: true });
});

/**
 * Parses the paths of the packed files from the output of `npm pack --json`, in which the JSON follows the output of
 * the build.
 */
function listPackedFiles(output: string): readonly string[] {
  const [description] = JSON.parse(output.slice(output.indexOf('[\n'))) as [
    { readonly files: readonly { path: string }[] },
  ];
  return description.files.map(({ path }) => path);
}

/**
 * Type-checks test programs with TypeScript's strict options.
 *
 * @param args paths of the programs, and further compiler options
 * @throws Error if a type is wrong
 */
async function compileProgram(...args: readonly string[]): Promise<void> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
  const target = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'];
  await run(process.execPath, [getToolPath('typescript/bin/tsc'), ...strict, ...target, ...args], { cwd: project });
}

const getBaseUrl = (): string => stack?.baseUrl ?? '';

describe('the package of the client', () => {
  it('the package of the client contains modules, types, a README and a licence, but no sources and no dependencies', async () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        ...['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/cjs/index.js', 'dist/cjs/index.d.ts'],
        ...['dist/langchain/index.js', 'dist/cjs/langchain/index.js'],
        'package.json',
      ]),
    );
    expect(packed.filter((path) => path.startsWith('src/') || path.includes('.spec.'))).toEqual([]);
    const installed = join(project, 'node_modules/@quarry/client/package.json');
    const manifest = JSON.parse(await readFile(installed, 'utf8')) as object;
    expect(manifest).toMatchObject({ license: expect.any(String) as unknown });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(await readdir(join(project, 'node_modules/@quarry'))).toEqual(['client']);
  });

  it.each(['use.mjs', 'use.cjs'])(
    'with the packed client, the program %s lists datastores, streams an answer, gets a typed error and reports upload progress',
    async (program) => {
      const { stdout } = await run(process.execPath, [program, getBaseUrl(), ROOT_KEY], { cwd: project });
      expect(JSON.parse(stdout)).toEqual(EXPECTED);
    },
  );

  it.each(['langchain.mjs', 'langchain.cjs'])(
    'the program %s can import the LangChain classes of the client package',
    async (program) => {
      expect((await run(process.execPath, [program], { cwd: project })).stdout).toBe('QuarryRetriever function\n');
    },
  );

  it.each([
    { resolution: 'nodenext', args: ['--module', 'nodenext', 'types.mts', 'types.cts'] },
    { resolution: 'bundler', args: ['--module', 'esnext', 'types.mts'] },
  ])(
    'the types of the client package compile under strict TypeScript with module resolution $resolution',
    async ({ resolution, args }) => {
      await compileProgram('--moduleResolution', resolution, ...args);
    },
  );

  it('the types of the LangChain classes of the client package compile under strict TypeScript', async () => {
    // Without `--skipLibCheck`, the compilation would fail in LangChain's own declaration files.
    await compileProgram('--skipLibCheck', '--module', 'nodenext', 'langchain.mts');
  });

  it.skipIf(browserPath === undefined)(`the bundled client works in a browser${NO_BROWSER}`, async () => {
    const vite = ['build', '--base=/bundle/', '--outDir', 'built', '--logLevel', 'error'];
    await writeFile(join(project, 'index.html'), '<script type="module" src="./page.js"></script>');
    await run(process.execPath, [getToolPath('vite/bin/vite.js'), ...vite], { cwd: project });
    const browser = await chromium.launch({
      ...(browserPath === undefined ? {} : { executablePath: browserPath }),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      const page = await browser.newPage();
      const { origin } = new URL(getBaseUrl());
      await page.route(`${origin}/bundle/**`, async (route) => {
        const path = new URL(route.request().url()).pathname.slice('/bundle/'.length);
        await route.fulfill({ path: join(project, 'built', path) });
      });
      await page.goto(`${origin}/bundle/index.html`);
      await page.waitForFunction('globalThis.exerciseClient !== undefined');
      const call = `globalThis.exerciseClient(${JSON.stringify(getBaseUrl())}, '${ROOT_KEY}')`;
      expect(await page.evaluate(call)).toEqual(EXPECTED);
    } finally {
      await browser.close();
    }
  });
});
