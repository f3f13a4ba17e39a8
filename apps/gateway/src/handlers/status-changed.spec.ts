import { datasourceStatusQueue, type StatusChanged } from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { newId } from '../database/id.js';
import { datasources } from '../database/tables/datasources.js';
import { runs } from '../database/tables/runs.js';
import { makeDatastore, makeSite, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { getStoredTokens } from '../usage/claim-tokens.js';
import { statusesChanged } from './status-changed.js';

const AT = '2026-06-01T12:00:00.000Z';
const used = useTenant();
const db = () => used.test.gateway.db;
let files: readonly string[];

beforeAll(() => {
  startConsumers(used.test.gateway);
});
beforeEach(async () => {
  const names = ['a.txt', 'b.txt', 'c.txt'];
  files = await Promise.all(names.map((name) => uploadText(used.tenant.api, used.datastore, name, name)));
});

async function runOf(datasourceId: string): Promise<string> {
  const [row] = await db().select().from(datasources).where(eq(datasources.id, datasourceId));
  return row?.runId ?? '';
}

/** The payload as a plain object. */
type Change = Omit<StatusChanged, never>;

async function change(datasourceId = '', more: Partial<Change> = {}): Promise<Change> {
  return { datasourceId, runId: await runOf(datasourceId), sequence: 9_999, at: AT, status: 'synched', ...more };
}

/** Enqueues changes as one job, and waits for its end. */
async function enqueue(...changes: readonly Change[]): Promise<void> {
  await used.test.queues.producer(datasourceStatusQueue).add('statuses-changed', { changes });
  await used.test.queues.drain();
}

const warnings: string[] = [];
const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
const record = async (...changes: readonly Change[]): Promise<void> =>
  statusesChanged(used.test.gateway, changes, { log });

async function statuses(ids: readonly string[] = files): Promise<readonly unknown[]> {
  const rows = await db()
    .select()
    .from(datasources)
    .where(inArray(datasources.id, [...ids]));
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
}

describe('changes that are reported together', () => {
  it('are written in one transaction, each with its values', async () => {
    const [a, b, c] = files;
    const site = await makeSite(used.tenant.api, used.datastore);
    await enqueue(
      await change(a, { fragments: 3, storedTokens: 120 }),
      await change(b, { status: 'running', sequence: 1 }),
      await change(c, { status: 'error', code: 'file_encrypted', message: 'It is encrypted.' }),
      await change(site, { status: 'running', sequence: 1 }),
      await change(b, { storedTokens: 7, startedAt: AT }),
    );
    const ids = [...files, site];
    expect(await statuses(ids)).toEqual(['synched', 'synched', 'error', 'running']);
    const shown = async (id = ''): Promise<unknown> => (await used.tenant.api.get(`/api/datasources/${id}`)).body;
    expect(await shown(a)).toMatchObject({ error: null, lastSynch: AT, run: { startedAt: AT, endedAt: AT } });
    expect(await shown(c)).toMatchObject({ error: { code: 'file_encrypted', message: 'It is encrypted.' } });
    expect(await shown(site)).toMatchObject({ run: { startedAt: AT, endedAt: null, progress: null } });
    const [run] = await db()
      .select()
      .from(runs)
      .where(eq(runs.id, await runOf(b ?? '')));
    expect(run?.timeline.map(({ step }) => step)).toEqual(['pending', 'running', 'synched']);
    expect(await getStoredTokens(db(), used.tenant.organizationId)).toBe(127);
    const written = await db()
      .select({ by: sql<string>`xmin::text` })
      .from(datasources)
      .where(inArray(datasources.id, ids));
    expect(new Set(written.map(({ by }) => by)).size).toBe(1);
  });

  it('may concern several organizations', async () => {
    const other = await used.test.tenant();
    const otherFile = await uploadText(other.api, await makeDatastore(other.api));
    await enqueue(await change(files[0], { storedTokens: 5 }), await change(otherFile, { storedTokens: 6 }));
    expect(await statuses([files[0] ?? '', otherFile])).toEqual(['synched', 'synched']);
    expect(await getStoredTokens(db(), used.tenant.organizationId)).toBe(5);
    expect(await getStoredTokens(db(), other.organizationId)).toBe(6);
  });

  it('change nothing when they are repeated, alone or with others', async () => {
    const [a, b, c] = await Promise.all(files.map(async (id) => change(id, { storedTokens: 10 })));
    if (a === undefined || b === undefined || c === undefined) throw new Error('expected three uploaded files');
    await record(a, b);
    const before = await db().select().from(datasources).where(eq(datasources.id, a.datasourceId));
    await record({ ...a, sequence: 10_000, status: 'error', storedTokens: 99 }, b, c);
    await record(a);
    expect(await statuses()).toEqual(['synched', 'synched', 'synched']);
    expect(await db().select().from(datasources).where(eq(datasources.id, a.datasourceId))).toEqual(before);
    expect(await getStoredTokens(db(), used.tenant.organizationId)).toBe(30);
  });

  it('are not blocked by a change that cannot be written, and are retried with it', async () => {
    const [a, b, c] = files;
    const broken = await change(b);
    const [run] = await db().select().from(runs).where(eq(runs.id, broken.runId));
    if (run === undefined) throw new Error('expected a run of the file');
    await db().delete(runs).where(eq(runs.id, broken.runId));
    const all = [await change(a), broken, await change(c)];
    await expect(record(...all)).rejects.toThrow(
      `expected a row of run ${broken.runId} of datasource ${b ?? ''}, found none`,
    );
    expect(await statuses()).toEqual(['synched', 'pending', 'synched']);
    expect(warnings).toEqual(['failed to record events in one transaction; each is recorded in its own transaction']);
    const { generation, ...written } = run;
    expect(generation).toBeGreaterThan(0);
    await db().insert(runs).values(written);
    await record(...all);
    expect(await statuses()).toEqual(['synched', 'synched', 'synched']);
  });

  it('are not blocked by changes of datasources that were removed or never existed', async () => {
    const [a, b] = files;
    const removed = await change(b);
    await used.tenant.api.delete(`/api/datasources/${removed.datasourceId}`);
    await enqueue(
      removed,
      { ...removed, datasourceId: newId() },
      { ...removed, datasourceId: 'no id' },
      await change(a),
    );
    expect(await statuses([a ?? ''])).toEqual(['synched']);
    expect(used.test.queues.failed(datasourceStatusQueue)).toEqual([]);
  });

  it('are not blocked by a change whose row another transaction has locked', async () => {
    const [a, b, c] = files;
    const all = [await change(a), await change(b), await change(c)];
    let recording: Promise<void> | undefined;
    await db().transaction(async (tx) => {
      await tx
        .select()
        .from(datasources)
        .where(eq(datasources.id, b ?? ''))
        .for('update');
      recording = record(...all);
      await expect.poll(async () => statuses(), { timeout: 10_000 }).toEqual(['synched', 'pending', 'synched']);
    });
    await recording;
    expect(await statuses()).toEqual(['synched', 'synched', 'synched']);
  });
});
