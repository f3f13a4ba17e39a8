import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type QuarryClient } from '@quarry/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { buildLongText } from './quarry/long-text.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';
import { createTextFile } from './quarry/text-file.js';

const POLL = { timeout: 90_000 };

let dataDirectory: string;
let quarry: QuarryProcess;
let client: QuarryClient;

beforeEach(async () => {
  dataDirectory = await createDataFolder();
});

afterEach(async () => {
  await quarry.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function startQuarryWithClient(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  quarry = await startQuarry(dataDirectory, variables);
  client = createClient({ baseUrl: quarry.baseUrl, apiKey: ROOT_KEY });
}

const findClusterPath = (...path: readonly string[]): string => join(dataDirectory, 'postgres', 'cluster', ...path);

async function killPostgres(): Promise<void> {
  const [pid] = (await readFile(findClusterPath('postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

describe('Quarry on one machine after its embedded PostgreSQL is killed', () => {
  it('Quarry restarts its killed PostgreSQL, finishes the job in progress, and accepts uploads and searches again', async () => {
    await startQuarryWithClient();
    const { id: datastoreId } = await client.createDatastore({ name: 'Stones' });
    const { text, last } = buildLongText();
    const { id } = await client.uploadFile(datastoreId, createTextFile('stones.txt', text));
    await expect.poll(async () => (await client.getDatasource(id)).status, POLL).toBe('running');

    await killPostgres();
    await expect.poll(() => quarry.output(), POLL).toContain('PostgreSQL runs again');
    await expect
      .poll(async () => (await client.getDatasource(id).catch(() => undefined))?.status, POLL)
      .toBe('synched');
    expect((await client.queryDatastore(datastoreId, { query: last }))[0]?.text).toContain(last);

    const { ids } = await client.upsertDocuments(datastoreId, [{ name: 'n', text: 'Basalt is a volcanic rock.' }]);
    for (const added of ids) expect(await client.untilSettled(added)).toMatchObject({ status: 'synched' });
    expect((await client.queryDatastore(datastoreId, { query: 'basalt' }))[0]?.text).toContain('volcanic');
  });

  it('Quarry exits with code 1 and reports the reason when PostgreSQL cannot be restarted', async () => {
    await startQuarryWithClient({ QUARRY_POSTGRES_RESTART_SECONDS: '1' });
    const exited = quarry.exited();
    await rename(findClusterPath('global', 'pg_control'), findClusterPath('global', 'pg_control-away'));
    await killPostgres();
    expect(await exited).toBe(1);
    expect(quarry.output()).toMatch(
      /Quarry cannot continue\. PostgreSQL stopped running and could not be restarted within 1 s\. Remove the cause.*pg_control/s,
    );
  });
});
