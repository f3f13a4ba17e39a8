import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { createDatastore, uploadText } from '../testing/create-resources.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { recordStatements, type StatementRecorder } from '../testing/record-statements.js';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';

let copy: TestDatabase;
let databases: readonly OpenDatabase[];
let recorder: StatementRecorder;
let first: TestGateway;
let second: TestGateway;
let organizationId: string;
let key: string;
let id: string;

beforeAll(async () => {
  copy = await createTestDatabase();
  const own = openDatabase({ url: copy.url, connections: 5, onConnectionLost: () => undefined });
  const other = openDatabase({ url: copy.url, connections: 5, onConnectionLost: () => undefined });
  databases = [own, other];
  recorder = recordStatements(other.pool);
  first = await startTestGateway({ database: own });
  second = await startTestGateway({ database: other });
});
afterAll(async () => {
  await first.close();
  await second.close();
  for (const database of databases) await database.close();
  await copy.drop();
});
beforeEach(async () => {
  const tenant = await first.createTenant();
  organizationId = tenant.organizationId;
  ({ key } = await tenant.addKey({}));
  id = await uploadText(tenant.api, await createDatastore(tenant.api), 'text', 'old.txt');
});

const findName = async ({ gateway }: TestGateway): Promise<string | undefined> =>
  (await gateway.labels.find(organizationId, [id])).get(id)?.name;

/** Repeats the search for the label of a datasource until the second gateway finds the label in its cache. */
async function fillCache(): Promise<void> {
  await expectEventually(async () => {
    recorder.takeStatements();
    expect(await findName(second)).toBe('old.txt');
    return recorder.takeStatements();
  }).toEqual([]);
}

const changeRow = async (values: Partial<typeof datasources.$inferInsert>): Promise<void> => {
  await first.gateway.db.update(datasources).set(values).where(eq(datasources.id, id));
};

describe('the cache of labels', () => {
  it.each<[string, string | undefined, () => Promise<unknown>]>([
    [
      'renamed by another gateway',
      'new.txt',
      async () => first.createApi(key).patch(`/api/datasources/${id}`).send({ name: 'new.txt' }).expect(200),
    ],
    ['renamed by SQL', 'new.txt', async () => changeRow({ name: 'new.txt' })],
    ['deleted', undefined, async () => first.gateway.db.delete(datasources).where(eq(datasources.id, id))],
  ])('a gateway finds the current label of a datasource that was %s', async (_change, expected, change) => {
    await fillCache();
    await change();
    await expectEventually(async () => findName(second)).toBe(expected);
  });

  it('after the metadata of a datasource were changed in the database, the label cache of a gateway returns the new metadata', async () => {
    await fillCache();
    await changeRow({ metadata: { topic: 'tea' } });
    const findMetadata = async (): Promise<unknown> =>
      (await second.gateway.labels.find(organizationId, [id])).get(id)?.metadata;
    await expectEventually(findMetadata).toEqual({ topic: 'tea' });
  });

  it('after a gateway has renamed a datasource, its label cache returns the new name immediately', async () => {
    await fillCache();
    await second.createApi(key).patch(`/api/datasources/${id}`).send({ name: 'new.txt' }).expect(200);
    expect(await findName(second)).toBe('new.txt');
  });

  it('a new name of a datasource empties the label cache, and a new status does not', async () => {
    await fillCache();
    let cleared = 0;
    second.gateway.notifications.listen('labels', () => (cleared += 1));
    await changeRow({ status: 'running' });
    await changeRow({ name: 'new.txt' });
    await expectEventually(() => cleared).toBe(1);
  });

  it('the label cache does not return the label of a datasource to another organization', async () => {
    await fillCache();
    const other = await first.createTenant();
    expect(await second.gateway.labels.find(other.organizationId, [id])).toEqual(new Map());
  });

  it('the label cache reads only those labels of datasources from the database that it does not contain', async () => {
    await fillCache();
    const tenantApi = first.createApi(key);
    const added = await uploadText(tenantApi, await createDatastore(tenantApi), 'text', 'added.txt');
    const labels = await second.gateway.labels.find(organizationId, [id, added, id]);
    expect([...labels.values()].map(({ name }) => name)).toEqual(['old.txt', 'added.txt']);
    recorder.takeStatements();
    await second.gateway.labels.find(organizationId, [added, id]);
    expect(recorder.takeStatements()).toEqual([]);
  });
});
