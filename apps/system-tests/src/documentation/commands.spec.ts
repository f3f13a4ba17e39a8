import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createExampleListing } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from '../quarry/data-folder.js';
import { findCommandProblems } from './command-problems.js';
import { DocumentedRequests } from './documented-requests.js';
import { readShellBlocks, readInlineCommands, ROOT, type Block } from './read-documents.js';
import { startExampleSite, type ExampleSite } from './example-site.js';
import { startQuarryByScript, type StartedQuarry } from './started-quarry.js';

/**
 * The documented blocks of commands that no test runs, each with the reason. A key consists of the first words of a
 * block. The tests still check that the files and variables in these blocks exist.
 */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start': 'run below, by its script; npm test runs these tests',
  'sh docker/make-secrets.sh': 'needs Docker; start-services.spec.ts runs npm run start:services',
  QUARRY_SYSTEM_TEST_CONTAINERS: 'needs Docker, and is the run of these tests in containers',
  'kubectl label namespace': 'needs a cluster; deployment/ renders what is applied',
  'kubectl kustomize k8s/overlays/prod': 'needs a cluster; deployment/ renders what is applied',
  'kubectl -n quarry create secret': 'needs a cluster; deployment/ compares the secrets with what is applied',
  'docker build': 'needs Docker',
  'docker compose': 'needs Docker and a volume of an older version',
  'sh docker/backup.sh': 'needs Docker; backup.spec.ts runs it in containers',
  'pip install "./clients/python[langchain]"': 'python-client.spec.ts tests the installed package',
  'curl -s http://localhost:3000/openapi.json': 'generated-clients.spec.ts generates clients from the served document',
  'curl -H "api-key: $key" $node': 'needs the nodes of a Qdrant cluster',
  'curl -X POST -H "api-key: $key"': 'needs the nodes of a Qdrant cluster',
  'curl -X PATCH -H "api-key: $key"': 'needs the nodes of a Qdrant cluster',
};

const blocks = readShellBlocks();
const findReasons = ({ commands: [first = ''] }: Block): readonly string[] =>
  Object.keys(NOT_RUN).filter((start) => first.startsWith(start));
const isBlockOfRequests = (block: Block): boolean =>
  block.document === 'docs/guide.md' ? findReasons(block).length === 0 : (block.lines[0]?.startsWith('api=') ?? false);
const isHealthRequest = ({ lines }: Block): boolean => lines[0]?.endsWith('http://localhost:3000/metrics') ?? false;

describe('the commands of the documentation', () => {
  it.each(blocks.map((block) => [block.document, block.commands[0] ?? '', block] as const))(
    'in %s, a test runs the block “%s”, or NOT_RUN contains the reason why none does',
    (_document, _first, block) => {
      expect(findReasons(block).length === 1 || isBlockOfRequests(block) || isHealthRequest(block)).toBe(true);
      expect(block.commands.flatMap(findCommandProblems)).toEqual([]);
    },
  );

  it('every entry of NOT_RUN, the list of documented commands that no test runs, matches a documented command', () => {
    const firsts = blocks.map(({ commands }) => commands[0] ?? '');
    expect(Object.keys(NOT_RUN).filter((start) => !firsts.some((first) => first.startsWith(start)))).toEqual([]);
  });

  it('documented commands contain only scripts, programs, files and variables that exist', () => {
    const commands = readInlineCommands();
    expect(commands.length).toBeGreaterThan(10);
    const problems = commands.flatMap(({ document, command }) =>
      findCommandProblems(command).map((problem) => `${document}: ${command}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it.each([
    ['npm run nothing', 'package.json has no script nothing'],
    ['npx quarry-nothing x', 'npm installs no program quarry-nothing'],
    ['npx nx test nothing', 'there is no project nothing'],
    ['npx nx nothing gateway', 'has no script nothing'],
    ['sh docker/nothing.sh', 'there is no docker/nothing.sh'],
    ['QUARRY_NOTHING=1 npm test', 'no source reads the variable QUARRY_NOTHING'],
    ['docker build -f docker/Dockerfile --build-arg NOTHING=1 .', 'declares no build argument NOTHING'],
  ])('findCommandProblems reports the problem of the command %s', (command, problem) => {
    expect(findCommandProblems(command).join()).toContain(problem);
  });
});

const { arePackagesInstalled } = (await import(new URL('scripts/toolchain.mjs', pathToFileURL(ROOT)).href)) as {
  readonly arePackagesInstalled: () => boolean;
}; // the exports of the script
const run = promisify(execFile);
const absent = ['bash', 'curl'].filter((name) => spawnSync(name, ['--version']).status !== 0);
const missing = findMissingRequirement();
const reason = missing === undefined ? '' : ` (skipped: ${missing})`;

/**
 * Returns the requirement of these tests that this machine lacks; undefined if nothing is missing. The packages must be
 * installed, because `npm start` would otherwise replace the packages of the running tests.
 */
function findMissingRequirement(): string | undefined {
  if (absent.length > 0) return `there is no ${absent.join(' and no ')} on PATH`;
  return arePackagesInstalled() ? undefined : 'npm start and npm test have not installed the packages of this lockfile';
}

describe.skipIf(missing !== undefined)(`after npm start${reason}`, () => {
  let dataDirectory: string;
  let folder: string;
  let started: StartedQuarry | undefined;
  let exampleSite: ExampleSite | undefined;
  const getSiteUrl = (): string => exampleSite?.url ?? '';
  const getQuarry = (): StartedQuarry => {
    if (started === undefined) throw new Error('expected npm start to start Quarry, found that it did not');
    return started;
  };
  beforeAll(async () => {
    dataDirectory = await createDataFolder();
    folder = await mkdtemp(join(tmpdir(), 'quarry-documentation-'));
    // The requests in README.md upload existing files. The commands in docs/guide.md create the files that they upload.
    for (const document of ['README.md', 'docs/guide.md']) await mkdir(join(folder, document), { recursive: true });
    await writeFile(join(folder, 'README.md', 'handbook.pdf'), PDF);
    await writeFile(join(folder, 'README.md', 'notes.md'), '# Opening hours\n\nThe workshop opens at nine.\n');
    exampleSite = await startExampleSite();
    started = await startQuarryByScript(dataDirectory);
  });
  afterAll(async () => {
    await started?.stop();
    await exampleSite?.stop();
    await Promise.all([dataDirectory, folder].map((path) => rm(path, { recursive: true, force: true })));
  });

  it('the command that `npm start` prints outputs an answer whose lines have at most 100 characters', async () => {
    const { stdout } = await run('bash', ['-c', getQuarry().askCommand], { cwd: ROOT });
    expect(stdout).toMatch(/Send the file as a form[^]*curl .*-F file=@notes\.md/);
    expect(stdout).toMatch(/^Sources?:\n {2}guide\.md$/m);
    expect(stdout.split('\n').every((line) => line.length <= 100)).toBe(true);
  });

  it.each(['README.md', 'docs/guide.md'])(
    'the requests in %s succeed when they are sent in the documented order',
    async (document) => {
      const requests = new DocumentedRequests({
        api: getQuarry().api,
        key: getQuarry().key,
        folder: join(folder, document),
        site: getSiteUrl(),
      });
      for (const block of blocks.filter((found) => found.document === document && isBlockOfRequests(found))) {
        await requests.sendBlock(block);
      }
      expect(Object.keys(requests.ids)).toEqual(expect.arrayContaining(['datastore', 'datasource', 'agent']));
    },
  );

  it('the documented requests with the root key return the metrics, and the state of each dependency', async () => {
    const [metrics = '', ready = ''] = blocks.find(isHealthRequest)?.lines ?? [];
    const runDocumentedRequest = async (line: string): Promise<string> => {
      const command = line
        .replace('http://localhost:3000', new URL(getQuarry().api).origin)
        .replace('curl', 'curl -sS');
      const { stdout } = await run('bash', ['-c', command], {
        env: { ...process.env, QUARRY_ROOT_KEY: getQuarry().key },
      });
      return stdout;
    };
    expect(await runDocumentedRequest(metrics)).toContain(
      'quarry_dependency_up{dependency="database",service="quarry"} 1',
    );
    expect(JSON.parse(await runDocumentedRequest(ready))).toMatchObject({
      status: 'ready',
      dependencies: { database: { required: true } },
    });
  });

  it('the documented command npx quarry-listing-check checks a listing', async () => {
    const shop = createExampleListing(() => makeProducts(20), 'the-key-of-the-shop').listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const { port } = shop.address() as AddressInfo; // a TCP server has this form of address
    const header = 'X-API-Key: the-key-of-the-shop';
    const options = ['--local', '--header', header, `http://127.0.0.1:${port}/items`];
    const { stdout } = await run('npx', ['quarry-listing-check', ...options], { cwd: ROOT });
    shop.close();
    expect(stdout).toMatch(/^\d+ rules passed, 0 failed/m);
  });

  it('npm start reports that the process of Quarry was killed, and exits with code 1', async () => {
    expect(await getQuarry().killQuarry()).toBe(1);
    expect(getQuarry().output()).toMatch(
      /^Quarry was stopped by SIGKILL, .*npm start resumes the work in progress\.$/m,
    );
  });
});

/** A PDF with one empty page. It lacks a cross-reference table, which PDF readers must therefore rebuild. */
const PDF = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100]>> endobj
trailer <</Root 1 0 R>>
%%EOF
`;
