import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeDiscardedBlobs } from '../blobs/discarded-blobs.js';
import { removals } from '../database/tables/removals.js';
import { runs } from '../database/tables/runs.js';
import { listBlobs } from '../testing/blobs.js';
import { uploadText } from '../testing/create-resources.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { WAITING_CONNECTIONS } from '../testing/waiting-connections.js';
import { runWatchdog } from '../watchdog/watchdog.js';

const HOUR_MS = 3_600_000;

let now = new Date();
const used = setUpTenant({ clock: () => now });

beforeEach(async () => {
  now = new Date();
  await used.test.gateway.db.delete(removals);
});
afterEach(releaseRemovals);

async function holdRemovals(): Promise<void> {
  await used.test.gateway.db.execute(sql`select quarry.hold_removals('1 hour')`);
}

async function releaseRemovals(): Promise<void> {
  await used.test.gateway.db.execute(sql`select quarry.release_removals()`);
}

async function listRemovalJobs(): Promise<readonly string[]> {
  const jobs = await publishAndListIngestionJobs(used.test, used.tenant.organizationId);
  return jobs.map(({ name }) => name).filter((name) => name.startsWith('remove-'));
}

const listOwnBlobs = (): readonly string[] => listBlobs(used.test, used.tenant.organizationId);

describe('hold_removals', () => {
  it('while removals are held, no content is removed that was deleted afterwards, and searches do not find it', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    await holdRemovals();
    expect((await used.tenant.api.delete(`/api/datasources/${id}`)).status).toBe(204);
    now = new Date(now.getTime() + HOUR_MS / 2);
    await runWatchdog(used.test.gateway);
    expect(await listRemovalJobs()).toEqual([]);
    await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' });
    expect(used.test.query.searches.at(-1)?.excluded?.datasourceIds).toEqual([id]);

    await releaseRemovals();
    await runWatchdog(used.test.gateway);
    expect(await listRemovalJobs()).toEqual(['remove-datasource']);
  });

  it('while removals are held, the blob of a deleted datasource stays', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    await holdRemovals();
    await used.tenant.api.delete(`/api/datasources/${id}`);
    await removeDiscardedBlobs(used.test.gateway, now);
    expect(listOwnBlobs()).toHaveLength(1);
    await releaseRemovals();
    await removeDiscardedBlobs(used.test.gateway, now);
    expect(listOwnBlobs()).toEqual([]);
  });

  it('a hold of removals ends by itself after its duration', async () => {
    await used.test.gateway.db.execute(sql`select quarry.hold_removals('-1 seconds')`);
    const id = await uploadText(used.tenant.api, used.datastore);
    expect((await used.tenant.api.delete(`/api/datasources/${id}`)).status).toBe(204);
    expect(await listRemovalJobs()).toEqual(['remove-datasource']);
  });

  it('hold_removals waits for a transaction that has recorded a removal', async () => {
    const { db } = used.test.gateway;
    const order: string[] = [];
    let holding: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table quarry.removals in row exclusive mode`); // as an insertion does
      holding = holdRemovals().then(() => void order.push('held'));
      await expect.poll(async () => (await tx.execute(WAITING_CONNECTIONS)).rows).toHaveLength(1);
      order.push('committed');
    });
    await holding;
    expect(order).toEqual(['committed', 'held']);
  });
});

describe('complete_restore', () => {
  it('complete_restore gives later runs a generation above all earlier ones, and releases the removals', async () => {
    await holdRemovals();
    await uploadText(used.tenant.api, used.datastore, 'a', 'a.txt');
    await used.test.gateway.db.execute(sql`select quarry.complete_restore()`);
    await uploadText(used.tenant.api, used.datastore, 'b', 'b.txt');
    const [before = 0, after = 0] = (
      await used.test.gateway.db.select({ generation: runs.generation }).from(runs).orderBy(runs.generation)
    )
      .slice(-2)
      .map(({ generation }) => generation);
    expect(after - before).toBeGreaterThan(1_000_000_000);
    expect((await used.test.gateway.db.execute(sql`select 1 from quarry.removal_hold`)).rows).toEqual([]);
  });
});
