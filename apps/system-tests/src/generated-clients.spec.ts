import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildExampleRequests, type ApiDocument, type ExampleRequest } from './quarry/example-requests.js';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { RunningStack } from './quarry/stack.js';

const FOLDER = fileURLToPath(new URL('../deployed-clients/', import.meta.url));
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
const PYTHON_FOLDER = `${FOLDER}.venv/${process.platform === 'win32' ? 'Scripts' : 'bin'}/`;
const PYTHON = `${PYTHON_FOLDER}python`;
const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const TEXT = 'Le café glacé coûte 3 €.';

/** The problems of requests that conform to the document, but not to rules that JSON Schema cannot express. */
const REFUSED: Readonly<Record<string, string>> = {
  createWebhook: 'validation_failed', // its address is not public
  createEvaluation: 'validation_failed', // it has no dataset
  startSession: 'unauthorized', // its key is unknown
};

interface SentRequest {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body?: unknown;
  readonly text: string;
}

interface Used {
  readonly results: readonly string[];
  readonly answer: string;
  readonly lines: readonly string[];
}

const run = promisify(execFile);
const hasSucceeded = async (program: string, ...args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );
const hasLinters = existsSync(`${FOLDER}node_modules/@stoplight/spectral-cli`);
const hasPython = existsSync(`${FOLDER}.venv/.quarry-installed`);
const hasJava = hasPython && (await hasSucceeded('java', '-version'));
const LIBRARIES = `${FOLDER}.libraries/`;
const hasJavac = hasJava && existsSync(`${LIBRARIES}.java-installed`) && (await hasSucceeded('javac', '-version'));
const hasGo = hasJava && existsSync(`${LIBRARIES}.go-installed`) && (await isGoRecent());
/** Newtonsoft.Json 6, as Debian installs it. */
const JSON_LIBRARY = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const hasMono = hasJava && existsSync(JSON_LIBRARY) && (await hasSucceeded('mcs', '--version'));
const NO_LINTERS = hasLinters ? '' : ' (skipped: redocly and spectral are not installed)';
const NO_PYTHON = hasPython ? '' : ' (skipped: openapi-python-client is not installed)';
const NO_JAVA = hasJava ? '' : ' (skipped: needs Java and the installed openapi-generator)';

const NO_JAVAC = hasJavac ? '' : ' (skipped: needs a JDK, and Maven to install the libraries of the client)';
const NO_MONO = hasMono ? '' : ' (skipped: needs Mono, and Newtonsoft.Json of Debian)';
const NO_GO = hasGo ? '' : ' (skipped: needs Go 1.23, and the installed library of the client)';

/** Returns true if Go can compile generated clients, whose `go.mod` requires Go 1.23. */
async function isGoRecent(): Promise<boolean> {
  const { stdout } = await run('go', ['version']).catch(() => ({ stdout: '' }));
  return Number(/ go1\.(\d+)/.exec(stdout)?.[1] ?? 0) >= 23;
}

let stack: RunningStack | undefined;
let folder: string;
let document: string;
let origin: string;
let requests: readonly ExampleRequest[];

beforeAll(async () => {
  stack = await oneMachineStack.start({}, []);
  folder = await mkdtemp(join(tmpdir(), 'quarry-generated-'));
  document = join(folder, 'openapi.json');
  origin = new URL('/', stack.baseUrl).origin;
  const served = await (await fetch(`${stack.baseUrl}/openapi.json`)).text();
  await writeFile(document, served);
  requests = buildExampleRequests(JSON.parse(served) as ApiDocument, UNKNOWN_ID);
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function runClient(program: string, args: readonly string[], input?: unknown): Promise<unknown> {
  const running = run(program, args, { cwd: FOLDER, maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await running).stdout, normalizeTime);
}

/** Generates a client with openapi-generator in a folder of its own. @returns the folder */
async function generateClient(generator: string, ...settings: readonly string[]): Promise<string> {
  const client = join(folder, generator);
  const options = ['generate', '-g', generator, '-i', document, '-o', client, ...settings];
  await run(`${PYTHON_FOLDER}openapi-generator-cli`, options, { maxBuffer: 64 * 1024 * 1024 });
  return client;
}

/** Creates the file that the clients upload. */
async function createUploadedFile(): Promise<string> {
  const file = join(folder, 'a.txt');
  await writeFile(file, 'A text.');
  return file;
}

/** Each language writes times in its own form of ISO 8601. */
function normalizeTime(_key: string, value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)$/.test(value)
    ? new Date(value).toISOString()
    : value;
}

function expectDocumentedRequests(sent: Readonly<Record<string, SentRequest>>): void {
  expect(requests.length).toBeGreaterThan(80);
  const found = requests.map(({ id }) => {
    const { method, path, query, body } = sent[id] ?? {};
    return { id, method, path, query, body };
  });
  const expected = requests.map(({ id, method, server, path, parameters, body }) => ({
    id,
    method,
    path: server + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? ''),
    query: 'with' in parameters ? `with=${UNKNOWN_ID}` : '',
    body,
  }));
  expect(found).toEqual(expected);
  const refused = Object.entries(sent).filter(([, { status }]) => status >= 400);
  for (const [id, { text }] of refused) {
    const { code, detail } = JSON.parse(text) as { readonly code: string; readonly detail: string }; // a problem
    expect([id, code]).toEqual([id, REFUSED[id] ?? 'not_found']);
    expect(detail).not.toMatch(/^There is no [A-Z]+ \//);
  }
}

function expectUsed({ results, answer, lines }: Used): void {
  expect([results, answer]).toEqual([[TEXT], TEXT]);
  expect(lines).toEqual(expect.arrayContaining(['event: answer', 'event: endpoint_response', 'data: [DONE]']));
}

describe.skipIf(!hasLinters)(`the linters${NO_LINTERS}`, () => {
  it('redocly and spectral find no error and no warning in the OpenAPI document', async () => {
    const bin = `${FOLDER}node_modules/.bin/`;
    await run(`${bin}spectral`, ['lint', document, '--ruleset', `${FOLDER}spectral.yaml`, '--fail-severity=warn']);
    const config = ['--config', `${FOLDER}redocly.yaml`, '--format=json'];
    const { stdout } = await run(`${bin}redocly`, ['lint', document, ...config], { cwd: FOLDER });
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] });
  }, 60_000);
});

describe.skipIf(!hasPython)(`the Python client of openapi-python-client${NO_PYTHON}`, () => {
  it('the Python client of openapi-python-client calls every operation, searches, asks and streams', async () => {
    const client = join(folder, 'python');
    const settings = ['--path', document, '--output-path', client, '--config', `${FOLDER}openapi-python-client.yaml`];
    await run(PYTHON, ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', ...settings]);
    const sent = await runClient(PYTHON, ['call_operations.py', client, origin, ROOT_KEY], requests);
    expectDocumentedRequests(sent as Readonly<Record<string, SentRequest>>); // as call_operations.py prints it
    const used = await runClient(PYTHON, ['use_quarry.py', client, `${origin}/api`, ROOT_KEY]);
    expectUsed(used as Used); // as use_quarry.py prints it
  }, 120_000);
});

describe.skipIf(!hasJava)(`the TypeScript client of openapi-generator${NO_JAVA}`, () => {
  it('the TypeScript client of openapi-generator compiles in strict mode, calls every operation, searches, asks and streams', async () => {
    const client = await generateClient('typescript-fetch', '--additional-properties=importFileExtension=.js');
    await writeFile(join(client, 'package.json'), '{ "type": "module" }');
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable'];
    await run(process.execPath, [TSC, ...options, join(client, 'index.ts')], { cwd: client });
    const index = join(client, 'index.js');
    const sent = await runClient(process.execPath, ['call-operations.mjs', index, origin, ROOT_KEY], requests);
    expectDocumentedRequests(sent as Readonly<Record<string, SentRequest>>); // as call-operations.mjs prints it
    const used = await runClient(process.execPath, ['use-quarry.mjs', index, `${origin}/api`, ROOT_KEY]);
    expectUsed(used as Used); // as use-quarry.mjs prints it
  }, 120_000);
});

describe.skipIf(!hasJava)(`the Python client of openapi-generator${NO_JAVA}`, () => {
  it('the Python client of openapi-generator imports all its modules, and calls every operation', async () => {
    const client = await generateClient('python', '--package-name=quarry_client');
    const sent = await runClient(PYTHON, ['call_operations_with_urllib3.py', client, origin, ROOT_KEY], requests);
    // As call_operations_with_urllib3.py prints it.
    expectDocumentedRequests(sent as Readonly<Record<string, SentRequest>>);
  }, 120_000);
});

describe.skipIf(!hasGo)(`the Go client of openapi-generator${NO_GO}`, () => {
  it('the Go client of openapi-generator compiles, and calls every operation', async () => {
    const identity = ['--git-user-id=quarry', '--git-repo-id=client', '--additional-properties=packageName=quarry'];
    const client = await generateClient('go', ...identity);
    await mkdir(join(client, 'cmd'));
    await copyFile(`${FOLDER}call_operations.go`, join(client, 'cmd/main.go'));
    const program = join(client, 'call');
    // The library of the client is already in the cache of modules. Unoptimized code compiles faster.
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOSUMDB: 'off' };
    await run('go', ['build', '-gcflags=-N -l', '-o', program, './cmd'], { cwd: client, env });
    const sent = await runClient(program, [origin, ROOT_KEY, await createUploadedFile()], requests);
    expectDocumentedRequests(sent as Readonly<Record<string, SentRequest>>); // as call_operations.go prints it
  }, 240_000);
});

describe.skipIf(!hasJavac)(`the Java client of openapi-generator${NO_JAVAC}`, () => {
  it('the Java client of openapi-generator compiles, and calls every operation', async () => {
    const client = await generateClient('java');
    const sources = join(client, 'src/main/java');
    const apis = await readdir(join(sources, 'org/openapitools/client/api'));
    const files = [
      `${FOLDER}CallOperations.java`,
      ...apis.map((api) => join(sources, 'org/openapitools/client/api', api)),
    ];
    const libraries = `${LIBRARIES}java/*`;
    const classes = join(client, 'classes');
    const options = ['-nowarn', '-proc:none', '-encoding', 'UTF-8', '-cp', libraries, '-d', classes];
    await run('javac', [...options, '-sourcepath', sources, ...files]);
    const names = apis.map((api) => api.replace('.java', '')).join(',');
    const args = ['-cp', [classes, libraries].join(delimiter), 'CallOperations', origin, ROOT_KEY];
    const sent = await runClient('java', [...args, await createUploadedFile(), names], requests);
    expectDocumentedRequests(sent as Readonly<Record<string, SentRequest>>); // as CallOperations.java prints it
  }, 240_000);
});

describe.skipIf(!hasMono)(`the C# client of openapi-generator${NO_MONO}`, () => {
  it('the C# client of openapi-generator compiles, and calls every operation', async () => {
    // Without conditional serialization, the client sends null for every property that is not set.
    const properties = 'targetFramework=net48,supportsRetry=false,conditionalSerialization=true';
    const client = await generateClient('csharp', '--library=httpclient', `--additional-properties=${properties}`);
    const sources = join(client, 'src/Org.OpenAPITools');
    await removeNamingStrategies(sources);
    const program = join(client, 'call.exe');
    const libraries = ['Net.Http', 'ComponentModel.DataAnnotations', 'Runtime.Serialization', 'Web', 'Core'];
    const references = [JSON_LIBRARY, ...libraries.map((name) => `System.${name}`)].map((name) => `-r:${name}`);
    const files = [`-recurse:${sources}/*.cs`, `${FOLDER}CallOperations.cs`];
    await run('mcs', ['-langversion:latest', '-warn:0', `-out:${program}`, ...references, ...files]);
    const sent = await runClient('mono', [program, origin, ROOT_KEY, await createUploadedFile()], requests);
    expectDocumentedRequests(sent as Readonly<Record<string, SentRequest>>); // as CallOperations.cs prints it
  }, 240_000);
});

/**
 * Removes a setting that Newtonsoft.Json 6 does not have. It changes nothing, because attributes state the names of all
 * properties.
 */
async function removeNamingStrategies(sources: string): Promise<void> {
  for (const name of ['Client/ApiClient.cs', 'Model/AbstractOpenAPISchema.cs']) {
    const file = join(sources, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/NamingStrategy = new CamelCaseNamingStrategy\s*\{[^}]*\}/g, ''));
  }
}
