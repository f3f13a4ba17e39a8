import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient, type QuarryClient } from '@quarry/client';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { buildLongText } from './quarry/long-text.js';
import { ROOT_KEY, startQuarry, startQuarryExpectingExit, type QuarryProcess } from './quarry/quarry-process.js';
import { createTextFile } from './quarry/text-file.js';

let dataDirectory: string;
let quarry: QuarryProcess | undefined;

beforeEach(async () => {
  dataDirectory = await createDataFolder();
});

afterEach(async () => {
  await quarry?.stop();
  quarry = undefined;
  await rm(dataDirectory, { recursive: true, force: true });
});

function connectClient({ baseUrl }: QuarryProcess, apiKey = ROOT_KEY): QuarryClient {
  return createClient({ baseUrl, apiKey });
}

async function listBlobs(folder: string): Promise<number> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

describe('Quarry on one machine', () => {
  it('if Quarry is killed directly after the response to the deletion of a datastore, its next start completes the removal', async () => {
    quarry = await startQuarry(dataDirectory);
    const before = connectClient(quarry);
    const { organization } = await before.getMe();
    const { id: datastoreId } = await before.createDatastore({ name: 'Stones' });
    const { id } = await before.uploadFile(datastoreId, createTextFile('stones.txt', buildLongText().text));
    expect(await before.untilSettled(id)).toMatchObject({ status: 'synched' });
    const fragments = await openLanceDbFragmentStore({ directory: join(dataDirectory, 'fragments') });
    const scope = { organizationId: organization.id, datastoreIds: [datastoreId] };
    const listStoredFragments = async (): Promise<number> =>
      (await fragments.searchLexical({ embedding: null }, scope, { text: 'stone' }, 5)).length;
    expect({ fragments: await listStoredFragments(), blobs: await listBlobs(dataDirectory) }).toEqual({
      fragments: 5,
      blobs: 1,
    });

    await before.deleteDatastore(datastoreId);
    await quarry.kill();

    quarry = await startQuarry(dataDirectory);
    await expect.poll(listStoredFragments, { timeout: 60_000 }).toBe(0);
    await expect.poll(() => listBlobs(dataDirectory), { timeout: 60_000 }).toBe(0);
    await fragments.close();
  });

  it('Quarry shuts down gracefully when it receives SIGINT and SIGTERM in quick succession', async () => {
    quarry = await startQuarry(dataDirectory);
    expect(await quarry.stop('SIGINT', 'SIGTERM')).toBe(0);
  });

  it('a second Quarry on the same data folder exits, and reports the reason', async () => {
    quarry = await startQuarry(dataDirectory);
    const second = await startQuarryExpectingExit(dataDirectory);
    expect(second.code).toBe(1);
    expect(second.output).toContain(`the data folder ${dataDirectory} is used by another Quarry`);
    expect((await fetch(`${quarry.baseUrl}/datastores`)).status).toBe(401);
  });

  it('if several environment variables have invalid values, Quarry exits and reports each of them', async () => {
    const refused = await startQuarryExpectingExit(dataDirectory, { QUARRY_PORT: 'http', QUARRY_SAMPLE: 'maybe' });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/QUARRY_PORT .*"http"[\s\S]*QUARRY_SAMPLE .*"maybe"/);
  });

  it('if its port is in use, Quarry reports this in one line with the variable to change, and does not start PostgreSQL', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server has this form of address
    const refused = await startQuarryExpectingExit(dataDirectory, { QUARRY_PORT: String(port) });
    server.close();
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(new RegExp(`^Quarry could not start.*port ${port} .*set QUARRY_PORT.*$`, 'm'));
    expect(await readdir(dataDirectory)).not.toContain('postgres');
  });

  it('if its data folder is not writable, Quarry reports this in one line with the variable to change', async () => {
    const directory = join(dataDirectory, 'a-file', 'data');
    await writeFile(join(dataDirectory, 'a-file'), '');
    const refused = await startQuarryExpectingExit(directory);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /^Quarry could not start.*a-file\/data cannot be written \(ENOTDIR\).*QUARRY_DATA_DIR$/m,
    );
  });

  it('Quarry refuses a short root key without printing it', async () => {
    const refused = await startQuarryExpectingExit(dataDirectory, { QUARRY_ROOT_KEY: 'geheim7' });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('QUARRY_ROOT_KEY must have 8 to 200 printable characters');
    expect(refused.output).not.toContain('geheim7');
  });

  it('a client with the API key that Quarry prints at its first start gets an answer to the question that Quarry prints', async () => {
    quarry = await startQuarry(dataDirectory, { QUARRY_SAMPLE: 'true', QUARRY_ROOT_KEY: '' });
    const printed = quarry.output();
    const key = /qk_[\w-]{43}/.exec(printed)?.[0] ?? '';
    const question = /ask\.mjs .*"([^"]+)"$/m.exec(printed)?.[1] ?? '';
    const text = await readFile(join(dataDirectory, 'sample.json'), 'utf8');
    const { agentId } = JSON.parse(text) as { readonly agentId: string }; // Quarry's own file
    const { answer, sources } = await connectClient(quarry, key).queryAgent(agentId, { query: question });
    expect(answer).toContain('Send the file as a form');
    expect(sources.filter(({ cited }) => cited).map((source) => source.datasource_name)).toContain('guide.md');
    expect((await stat(join(dataDirectory, 'root-key'))).mode & 0o777).toBe(0o600);

    await quarry.stop();
    quarry = await startQuarry(dataDirectory, { QUARRY_SAMPLE: 'true', QUARRY_ROOT_KEY: '' });
    expect(quarry.output()).not.toContain(key);
  });

  it('the sign-in link that Quarry prints signs in a browser only once', async () => {
    quarry = await startQuarry(dataDirectory);
    const [, page, code] = /(http\S+\/signin)#code=(\S+)/.exec(quarry.output()) ?? [];
    const response = await fetch(page ?? '', { headers: { accept: 'text/html' } });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<script type="module"')]);
    const body = JSON.stringify({ code });
    const signIn = async () =>
      fetch(`${quarry?.baseUrl ?? ''}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const signedIn = await signIn();
    expect(signedIn.ok).toBe(true);
    expect(signedIn.headers.get('set-cookie')).toContain('HttpOnly');
    expect((await signIn()).status).toBe(410);
  });
});
