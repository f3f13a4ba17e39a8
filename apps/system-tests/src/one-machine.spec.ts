import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QuarryClient, type Answer } from './quarry/quarry-client.js';
import { startQuarry, startRefusedQuarry, type QuarryProcess } from './quarry/quarry-process.js';

const PARAGRAPHS = 60_000;

let dataDirectory: string;
let quarry: QuarryProcess | undefined;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-system-'));
});

afterEach(async () => {
  await quarry?.stop();
  quarry = undefined;
  await rm(dataDirectory, { recursive: true, force: true });
});

/** Large enough that a kill meets it half done. */
function longText(): Buffer {
  const paragraphs = Array.from(
    { length: PARAGRAPHS },
    (_, index) => `Paragraph ${index} tells of stone number ${index * 7}.`,
  );
  return Buffer.from(paragraphs.join('\n\n'));
}

describe('Quarry on one machine', () => {
  it('ends an ingestion as synched after it was killed in the middle of it', async () => {
    quarry = await startQuarry(dataDirectory);
    const before = new QuarryClient(quarry.baseUrl);
    const datastoreId = await before.createDatastore('Stones');
    const { id } = await before.upload(datastoreId, { name: 'stones.txt', type: 'text/plain', content: longText() });
    await before.waitFor(id, ['running']);
    await quarry.kill();

    quarry = await startQuarry(dataDirectory);
    const after = new QuarryClient(quarry.baseUrl);
    expect(await after.waitFor(id)).toMatchObject({ status: 'synched', run: { counters: { indexed: 1 } } });
    const results = await after.search(datastoreId, `stone number ${(PARAGRAPHS - 1) * 7}`);
    expect(results[0]?.text).toContain(`stone number ${(PARAGRAPHS - 1) * 7}`);
  });

  it('keeps its data over a clean stop', async () => {
    quarry = await startQuarry(dataDirectory);
    const before = new QuarryClient(quarry.baseUrl);
    const datastoreId = await before.createDatastore('Kept');
    const [id = ''] = await before.upsert(datastoreId, [{ name: 'n', text: 'Basalt is a volcanic rock.' }]);
    await before.waitFor(id, ['synched']);
    expect(await quarry.stop()).toBe(0);

    quarry = await startQuarry(dataDirectory);
    const after = new QuarryClient(quarry.baseUrl);
    expect((await after.search(datastoreId, 'basalt'))[0]?.text).toContain('volcanic');
  });

  it('refuses a second instance on the same data folder, and says why', async () => {
    quarry = await startQuarry(dataDirectory);
    const second = await startRefusedQuarry(dataDirectory);
    expect(second.code).toBe(1);
    expect(second.output).toContain(`the data folder ${dataDirectory} is used by another Quarry`);
    expect((await fetch(`${quarry.baseUrl}/datastores`)).status).toBe(401);
  });

  it('reports everything that is wrong with its configuration at once', async () => {
    const refused = await startRefusedQuarry(dataDirectory, { QUARRY_PORT: 'http', QUARRY_SAMPLE: 'maybe' });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/QUARRY_PORT .*"http"[\s\S]*QUARRY_SAMPLE .*"maybe"/);
  });

  it('answers its first question from its own documentation, with the key and the line it printed', async () => {
    quarry = await startQuarry(dataDirectory, { QUARRY_SAMPLE: 'true', QUARRY_ROOT_KEY: '' });
    const printed = quarry.output();
    const key = /qk_[\w-]{43}/.exec(printed)?.[0] ?? '';
    const path = /\/agents\/[\w-]+\/query/.exec(printed)?.[0] ?? '';
    const response = await fetch(`${quarry.baseUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'What is a datastore?' }),
    });
    expect(response.status).toBe(200);
    const { answer, sources } = (await response.json()) as Answer; // checked in the next lines
    expect(answer).toContain('Holds fragments and can be searched');
    expect(sources.filter(({ cited }) => cited).map((source) => source.datasource_name)).toEqual(['glossary.md']);
    expect((await stat(join(dataDirectory, 'root-key'))).mode & 0o777).toBe(0o600);

    await quarry.stop();
    quarry = await startQuarry(dataDirectory, { QUARRY_SAMPLE: 'true', QUARRY_ROOT_KEY: '' });
    expect(quarry.output()).not.toContain(key);
  });
});
