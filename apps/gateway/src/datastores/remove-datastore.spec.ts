import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { removals } from '../database/tables/removals.js';
import { runs } from '../database/tables/runs.js';
import { sourceErasures } from '../database/tables/source-erasures.js';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { startDueSyncs } from '../due-syncs/start-due-syncs.js';
import { createDatabaseRunGateway } from '../runs/record/open-run-gateway.js';
import { recordDocumentOutcome } from '../runs/update/record-outcomes.js';
import { createAgent, createDatastore, createSite, uploadText } from '../testing/create-resources.js';
import { createTokenActions } from '../testing/stored-tokens.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { hideDatastore, removeDatastore, removeNextDatastoreContent } from './remove-datastore.js';

const used = setUpTenant();
const { getUsedTokens, setTokenLimit, claimTokensOf, settlePage } = createTokenActions(used);

let doomed: string;
let site: string;
let file: string;
let key: { readonly organizationId: string; readonly id: string };

beforeEach(async () => {
  const { api, organizationId } = used.tenant;
  await setTokenLimit(1_000);
  doomed = await createDatastore(api);
  site = await createSite(api, doomed);
  file = await uploadText(api, doomed);
  await settlePage(site, 'page', { storedTokens: 40 });
  key = { organizationId, id: doomed };
});

/** Inserts copies of the row of the uploaded file, so that the removal of the datastore takes several steps. */
async function addFiles(count: number): Promise<void> {
  const { db } = used.test.gateway;
  const [row] = await db.select().from(datasources).where(eq(datasources.id, file));
  if (row === undefined) throw new Error(`expected the datasource ${file}, found none`);
  const copies = Array.from({ length: count }, (_, at) => ({
    ...row,
    ...{ id: crypto.randomUUID(), documentKey: `copy ${at}`, identity: null, blobKey: null, runId: null },
  }));
  await db.insert(datasources).values(copies);
  await db
    .insert(tokenReservations)
    .values(
      copies.map(({ id, organizationId }) => ({ organizationId, datasourceId: id, documentKey: 'd', tokens: 1 })),
    );
}

async function countRows(): Promise<number> {
  const { db } = used.test.gateway;
  const ofTenant = and(eq(datasources.organizationId, key.organizationId), eq(datasources.datastoreId, doomed));
  return (await db.$count(datasources, ofTenant)) + (await db.$count(datastores, eq(datastores.id, doomed)));
}

async function getRunId(): Promise<string> {
  const [run] = await used.test.gateway.db.select().from(runs).where(eq(runs.datasourceId, site));
  return run?.id ?? '';
}

describe('a datastore that is being removed', () => {
  it('a removed datastore disappears from lists, searches, agents and usage before its content is removed', async () => {
    const { tenant, test } = used;
    const agent = await createAgent(tenant.api, { datastoreIds: [doomed] });
    expect(await getUsedTokens()).toBe(40);
    await hideDatastore(test.gateway.db, key, new Date());
    const getFromApi = async (path: string) => tenant.api.get(`/api/${path}`);
    expect((await getFromApi('datastores')).text).not.toContain(doomed);
    expect((await getFromApi('datasources')).body).toMatchObject({ items: [] });
    expect((await getFromApi(`agents/${agent}`)).body).toMatchObject({ datastoreIds: [] });
    expect(await getUsedTokens()).toBe(0);
    for (const path of [`datastores/${doomed}`, `datasources/${site}`, `datasources/${site}/documents`]) {
      expect((await getFromApi(path)).status).toBe(404);
    }
    for (const path of [`datastores/${doomed}/query`, `datasources/${site}/sync`, `datasources/${site}/cancel`]) {
      expect((await tenant.api.post(`/api/${path}`).send({ query: 'q' })).status).toBe(404);
    }
    expect((await tenant.api.patch(`/api/datastores/${doomed}`).send({ name: 'n' })).status).toBe(404);
    expect((await tenant.api.delete(`/api/datasources/${file}`)).status).toBe(404);
    expect((await tenant.api.delete(`/api/datastores/${doomed}`)).status).toBe(404);
    expect((await tenant.api.post('/api/agents').send({ name: 'a', datastoreIds: [doomed] })).status).toBe(404);
    await tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q' });
    expect(test.query.questions.at(-1)?.datastores).toEqual([]);
  });

  it('removing a datastore stops the runs and scheduled syncs of its datasources', async () => {
    const { gateway } = used.test;
    const run = { datasourceId: site, runId: await getRunId() };
    await gateway.db
      .update(datasources)
      .set({ nextSyncAt: new Date(0) })
      .where(eq(datasources.id, site));
    await hideDatastore(gateway.db, key, new Date());
    expect(await createDatabaseRunGateway(gateway).readRunStates([run])).toEqual(['removed']);
    expect(await claimTokensOf(site, 1, 'page')).toMatchObject({ granted: false, code: 'content_missing' });
    const settled = { ...run, documentKey: 'late', outcome: 'indexed', at: new Date().toISOString() } as const;
    expect(await recordDocumentOutcome(gateway.db, settled, new Date())).toBe('unknown_datasource');
    expect(await startDueSyncs(gateway)).toBe(0);
  });

  it('the stored tokens of a removed datastore immediately stop counting against the limit of the organization', async () => {
    await setTokenLimit(50);
    const other = await createSite(used.tenant.api, used.datastore);
    expect(await claimTokensOf(other, 20, 'page')).toMatchObject({ granted: false });
    await hideDatastore(used.test.gateway.db, key, new Date());
    expect(await claimTokensOf(other, 50, 'page')).toEqual({ granted: true });
    expect(await claimTokensOf(other, 51, 'page')).toMatchObject({ granted: false });
    while (!(await removeNextDatastoreContent(used.test.gateway.db, key, new Date())));
    expect(await getUsedTokens()).toBe(50);
  });
});

describe('the removal of a datastore', () => {
  it('the request to remove a datastore removes at most 1,000 datasources, and the watchdog removes the remaining datasources', async () => {
    await addFiles(1_200);
    expect((await used.tenant.api.delete(`/api/datastores/${doomed}`)).status).toBe(204);
    expect(await countRows()).toBe(1_203 - 1_000);
    expect(await getUsedTokens()).toBe(0);
    await runWatchdog(used.test.gateway);
    expect(await countRows()).toBe(0);
    expect(await getUsedTokens()).toBe(0);
  });

  it('if a gateway stops during any step of the removal of a datastore, a repetition of the step completes it, and removes nothing twice', async () => {
    const { db } = used.test.gateway;
    await addFiles(1_200);
    await hideDatastore(db, key, new Date());
    let steps = 0;
    let isDone = false;
    while (!isDone) {
      // If a gateway stops during a step, the database rolls back the step, and another gateway repeats it.
      const stopped = db.transaction(async (tx) => {
        await removeNextDatastoreContent(tx, key, new Date());
        throw new Error('stopped');
      });
      await expect(stopped).rejects.toThrow('stopped');
      isDone = await removeNextDatastoreContent(db, key, new Date());
      steps += 1;
    }
    expect(steps).toBe(4);
    expect(await countRows()).toBe(0);
    expect(await removeNextDatastoreContent(db, key, new Date())).toBe(true);
    expect(await db.$count(removals, and(eq(removals.datastoreId, doomed), eq(removals.kind, 'datastore')))).toBe(1);
    expect(await db.$count(discardedBlobs, eq(discardedBlobs.datasourceId, file))).toBe(1);
    expect(await db.$count(sourceErasures, eq(sourceErasures.datasourceId, site))).toBe(1);
  });

  it('several gateways that remove the same datastore at the same time share the work and remove all rows', async () => {
    const { gateway } = used.test;
    await addFiles(2_000);
    await removeDatastore(gateway, key);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!(await removeNextDatastoreContent(gateway.db, key, new Date())));
      }),
    );
    expect(await countRows()).toBe(0);
    expect(await getUsedTokens()).toBe(0);
  });

  it('the removal of a datastore includes a datasource that a concurrent transaction added after the datastore was hidden', async () => {
    const { db } = used.test.gateway;
    await hideDatastore(db, key, new Date());
    while ((await db.$count(datasources, eq(datasources.datastoreId, doomed))) > 0) {
      await removeNextDatastoreContent(db, key, new Date());
    }
    const late = { id: crypto.randomUUID(), organizationId: key.organizationId, datastoreId: doomed };
    await db
      .insert(datasources)
      .values({ ...late, type: 'file', name: 'late', config: {}, status: 'pending', sequence: 0 });
    expect(await removeNextDatastoreContent(db, key, new Date())).toBe(false);
    expect(await removeNextDatastoreContent(db, key, new Date())).toBe(true);
    expect(await countRows()).toBe(0);
  });
});
