import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database/database.js';
import { listGatewayDependencies } from '../dependencies.js';
import { OPENAI_OPERATIONS } from '../operations/openai/routes.js';
import { OPERATIONS } from '../operations/operations.js';
import { locatePagePicture, storePicture } from '../testing/page-pictures.js';
import { startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import { startGatewayWithSwitch } from '../testing/start-gateway-with-switch.js';
import { createResources, sendFileForm, sendValidRequest } from '../testing/valid-requests.js';

const PING = { ping: () => Promise.resolve() };
const DECLARED = listGatewayDependencies({ database: PING, queues: PING, blobs: PING, queryService: PING });
const NEEDS_FILE = 'createDatasource of a file';

const [DELETIONS, OTHERS] = [true, false].map((isDeletion) =>
  OPERATIONS.filter(({ method }) => (method === 'delete') === isDeletion),
);
/**
 * Lists all operations of the API. Deletions are last, in reverse order, so that a resource is deleted before the
 * resource that contains it.
 */
const API_OPERATIONS = [...(OTHERS ?? []), ...(DELETIONS ?? []).toReversed()];

/** Switches a dependency off, and sends a valid request to each operation. @returns the HTTP status by operation id */
async function collectStatuses(test: TestGateway, switchOff: () => void): Promise<ReadonlyMap<string, number>> {
  const { api } = await test.createTenant();
  const ids = await createResources(api);
  await storePicture(test, await locatePagePicture(test, ids['pdf'] ?? ''));
  switchOff();
  const found = new Map([[NEEDS_FILE, (await sendFileForm(api, ids)).status]]);
  for (const operation of API_OPERATIONS) found.set(operation.id, (await sendValidRequest(api, operation, ids)).status);
  return found;
}

describe('operations while a dependency is unavailable', () => {
  it.each(['nothing', 'queue', 'blobs', 'query'])(
    'while the dependency %s is unavailable, exactly the operations that need it return 503',
    async (name) => {
      const { test, switchOff } = await startGatewayWithSwitch(name);
      const found = [...(await collectStatuses(test, switchOff))];
      const neededBy = DECLARED.find((dependency) => dependency.name === name)?.neededBy ?? [];
      expect(found.filter(([, status]) => status === 503).map(([id]) => id)).toEqual(
        found.map(([id]) => id).filter((id) => neededBy.includes(id)),
      );
      expect(found.filter(([, status]) => status >= 400 && status !== 503)).toEqual([]);
      const ready = await test.createApi().get('/health/ready');
      expect([ready.status, ready.headers['quarry-degraded']]).toEqual([200, name === 'nothing' ? undefined : name]);
    },
    60_000,
  );

  it('while the database is unavailable, all operations return 503 and the gateway is not ready', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/none';
    const database = openDatabase({ url, connections: 2, onConnectionLost: () => undefined });
    const test = await startTestGateway({ database });
    onTestFinished(() => test.close());
    const found: [string, number][] = [];
    for (const operation of API_OPERATIONS) {
      found.push([operation.id, (await sendValidRequest(test.createApi('qk_some_key'), operation, {})).status]);
    }
    expect(found.filter(([, status]) => status !== 503)).toEqual([]);
    expect((await test.createApi().get('/health/ready')).status).toBe(503);
  });

  it('the field `neededBy` of each dependency contains only ids of existing operations', () => {
    const named = DECLARED.flatMap(({ neededBy }) => neededBy).filter((name) => name !== 'every operation');
    const known = [NEEDS_FILE, ...[...API_OPERATIONS, ...OPENAI_OPERATIONS].map(({ id }) => id)];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});
