import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { RunningStack } from './quarry/stack.js';

const FOLDER = fileURLToPath(new URL('../deployed-clients/', import.meta.url));
const INSPECTOR = `${FOLDER}node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;
const isInstalled = existsSync(INSPECTOR);
const NOT_INSTALLED = isInstalled ? '' : ' (skipped: MCP Inspector is not installed)';
const TEXT = 'Das Café öffnet um neun Uhr, sagt 从前 😀.';
/** Exit codes of MCP Inspector: success, a required sign-in, and an error that a tool returned. */
const EXIT = { success: 0, signIn: 3, toolError: 5 };

interface InspectorResult {
  readonly exitCode: number;
  readonly output: unknown;
}

interface Tenant {
  readonly key: string;
  readonly datastoreId: string;
  readonly agentId: string;
}

let stack: RunningStack | undefined;
let home: string;
let own: Tenant;
let other: Tenant;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'quarry-inspector-'));
  stack = await oneMachineStack.start({}, []);
  own = await createTenant(ROOT_KEY);
  const quarry = createClient({ baseUrl: stack.baseUrl, apiKey: ROOT_KEY });
  other = await createTenant((await quarry.createOrganization({ name: 'Other' })).apiKey);
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(home, { recursive: true, force: true });
});

async function createTenant(key: string): Promise<Tenant> {
  const quarry = createClient({ baseUrl: stack?.baseUrl ?? '', apiKey: key });
  const { id: datastoreId } = await quarry.createDatastore({ name: 'Café' });
  const [id = ''] = (await quarry.upsertDocuments(datastoreId, [{ name: 'hours', text: TEXT }])).ids;
  expect(await quarry.untilSettled(id)).toMatchObject({ status: 'synched' });
  const { id: agentId } = await quarry.createAgent({ name: 'Host', datastoreIds: [datastoreId] });
  return { key, datastoreId, agentId };
}

/**
 * Runs MCP Inspector as a command that calls an MCP endpoint of Quarry.
 *
 * @param era revision of the MCP protocol that Inspector uses: `modern` or `legacy`
 * @param endpoint the API key, and the path of the MCP endpoint
 */
async function runInspector(
  era: string,
  { key, path = '/mcp' }: Endpoint,
  ...args: readonly string[]
): Promise<InspectorResult> {
  const address = new URL(path, stack?.baseUrl).href;
  const server = ['--server-url', address, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
  return new Promise((resolve) => {
    const options = { cwd: FOLDER, env: { ...process.env, HOME: home, USERPROFILE: home } };
    execFile(
      process.execPath,
      [INSPECTOR, '--cli', ...server, '--protocol-era', era, ...args],
      options,
      (error, stdout) => {
        resolve({
          exitCode: typeof error?.code === 'number' ? error.code : 0,
          output: stdout === '' ? undefined : JSON.parse(stdout),
        });
      },
    );
  });
}

interface Endpoint {
  readonly key: string;
  readonly path?: string;
}

const callTool = (name: string, ...args: readonly string[]): readonly string[] => [
  ...['--method', 'tools/call', '--tool-name', name],
  ...args.flatMap((arg) => ['--tool-arg', arg]),
];

describe.skipIf(!isInstalled).each(['modern', 'legacy'])(`MCP Inspector in the %s era${NOT_INSTALLED}`, (era) => {
  it('MCP Inspector finds no problem in the definitions of Quarry’s MCP tools', async () => {
    const listed = await runInspector(era, own, '--method', 'tools/list', '--strict');
    const names = ['search', 'fetch', 'ask', 'list_datastores', 'add_text', 'status'];
    expect(listed).toMatchObject({ exitCode: EXIT.success, output: { tools: names.map((name) => ({ name })) } });
  });

  it('MCP Inspector searches datastores, and asks an agent at the endpoint of the agent', async () => {
    const found = await runInspector(era, own, ...callTool('search', 'query=Café', 'topK=1'));
    const results = [{ title: 'hours', text: TEXT }];
    expect(found).toMatchObject({ exitCode: EXIT.success, output: { structuredContent: { results } } });
    const path = `/mcp/${own.agentId}`;
    const asked = await runInspector(era, { ...own, path }, ...callTool('ask', 'question=Wann öffnet das Café?'));
    const answer = expect.stringContaining('neun') as unknown;
    expect(asked).toMatchObject({ exitCode: EXIT.success, output: { structuredContent: { answer } } });
  });

  it('MCP Inspector does not find the resources of another organization', async () => {
    const foreign = `datastoreIds=["${other.datastoreId}"]`;
    const searched = await runInspector(era, own, ...callTool('search', 'query=Café', foreign));
    const content = [{ text: expect.stringMatching(/^not_found: /) as unknown }];
    expect(searched).toMatchObject({ exitCode: EXIT.toolError, output: { isError: true, content } });
    const { output } = await runInspector(era, other, ...callTool('list_datastores'));
    expect(output).toMatchObject({ structuredContent: { datastores: [{ id: other.datastoreId }] } });
    const path = `/mcp/${other.agentId}`;
    expect((await runInspector(era, { ...own, path }, '--method', 'tools/list')).exitCode).not.toBe(EXIT.success);
  });

  it('MCP Inspector requires a sign-in after a request with a wrong API key', async () => {
    const refused = await runInspector(era, { key: 'qk_wrong' }, '--method', 'tools/list');
    expect(refused).toEqual({ exitCode: EXIT.signIn, output: undefined });
  });
});
