import { connect, createServer, type Server, type Socket } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { recordStatements, type StatementRecorder } from '../testing/record-statements.js';
import { type Api, startTestGateway, type TestGateway } from '../testing/start-test-gateway.js';
import { NotificationListener } from '../database/notification-listener.js';
import { createKeyCache } from './key-cache.js';
import { hashApiKey, revokeKey } from './key-repository.js';

/** Maximum time in milliseconds between the revocation of a key and the first refusal of the key by every gateway. */
const MAX_DELAY_MS = 1_000;

let copy: TestDatabase;
let databases: readonly OpenDatabase[];
let proxy: PausableProxy;
let recorder: StatementRecorder;
let first: TestGateway;
let second: TestGateway;
let organizationId: string;
let id: string;
let key: string;

beforeAll(async () => {
  copy = await createTestDatabase();
  const own = openDatabase({ url: copy.url, connections: 5, onConnectionLost: () => undefined });
  const other = openDatabase({ url: copy.url, connections: 5, onConnectionLost: () => undefined });
  databases = [own, other];
  recorder = recordStatements(other.pool);
  proxy = await startPausableProxy(new URL(copy.url));
  const proxied = openDatabase({ url: proxy.url, connections: 1, onConnectionLost: () => undefined });
  first = await startTestGateway({ database: own });
  // The second gateway receives notifications through the proxy.
  second = await startTestGateway({ database: { ...other, openConnection: async () => proxied.openConnection() } });
});
afterAll(async () => {
  proxy.resume();
  await first.close();
  await second.close();
  proxy.close();
  for (const database of databases) await database.close();
  await copy.drop();
});
beforeEach(async () => {
  const tenant = await first.createTenant();
  organizationId = tenant.organizationId;
  ({ id, key } = await tenant.addKey({}));
});
afterEach(() => {
  proxy.resume();
});

const getStatus = async (api: Api): Promise<number> => (await api.get('/api/datastores')).status;

/** Sends requests until the second gateway finds the key in its cache. */
async function fillCache(): Promise<void> {
  await expectEventually(async () => {
    recorder.takeStatements();
    expect(await getStatus(second.createApi(key))).toBe(200);
    return recorder.takeStatements().filter((text) => text.includes('api_keys')).length;
  }).toBe(0);
}

/** Waits until the second gateway refuses the key. @returns the time that this took, in milliseconds */
async function waitForRefusal(): Promise<number> {
  const changedAt = performance.now();
  await expect.poll(async () => getStatus(second.createApi(key)), { interval: 10, timeout: 10_000 }).toBe(401);
  return performance.now() - changedAt;
}

describe('the cache of API keys', () => {
  it.each([
    ['revoked by another gateway', async () => first.createApi(key).delete(`/api/api-keys/${id}`).expect(204)],
    ['revoked by SQL', async () => revokeKey(first.gateway.db, organizationId, id, new Date())],
    ['deleted', async () => first.gateway.db.delete(apiKeys).where(eq(apiKeys.id, id))],
    [
      'of an organization that is removed',
      async () =>
        first.gateway.db
          .update(organizations)
          .set({ removedAt: new Date() })
          .where(eq(organizations.id, organizationId)),
    ],
  ])('within a second, a gateway refuses a cached API key %s', async (_what, change) => {
    await fillCache();
    await change();
    expect(await waitForRefusal()).toBeLessThan(MAX_DELAY_MS);
  });

  it('a gateway refuses a revoked key within a second, even if its notification connection is open but delivers nothing', async () => {
    await fillCache();
    proxy.pause();
    await revokeKey(first.gateway.db, organizationId, id, new Date());
    expect(await getStatus(second.createApi(key))).toBe(200);
    expect(await waitForRefusal()).toBeLessThan(MAX_DELAY_MS);
  });

  it('a gateway that loses its notification connection still refuses a revoked key within a second, and later caches keys again', async () => {
    await fillCache();
    proxy.disconnect();
    await revokeKey(first.gateway.db, organizationId, id, new Date());
    expect(await waitForRefusal()).toBeLessThan(MAX_DELAY_MS);
    ({ id, key } = await (await first.createTenant()).addKey({}));
    await fillCache();
  });

  it('if the cache of API keys is cleared while a key is being read from the database, the cache does not store that key', async () => {
    await fillCache();
    const { keys } = second.gateway;
    const { hash } = (await first.gateway.db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0] ?? { hash: '' };
    keys.clear();
    const reading = keys.find(hash);
    keys.clear();
    await reading;
    recorder.takeStatements();
    await keys.find(hash);
    expect(recorder.takeStatements()).toHaveLength(1);
  });

  it('a NotificationListener closes even if its connection does not respond', async () => {
    const { db } = second.gateway;
    const proxied = openDatabase({ url: proxy.url, connections: 1, onConnectionLost: () => undefined });
    const notifications = new NotificationListener({ ...proxied, log: second.gateway.log });
    const cache = createKeyCache(db, notifications);
    await expectEventually(async () => {
      recorder.takeStatements();
      await cache.find(hashApiKey(key));
      return recorder.takeStatements();
    }).toEqual([]);
    proxy.pause();
    await notifications.close();
  });

  it('if a cached key has changed since it was read, recording its last use does not undo the change', async () => {
    await fillCache();
    const { keys } = second.gateway;
    const [before] = await first.gateway.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    if (before === undefined) throw new Error('expected the API key, found none');
    await first.gateway.db
      .update(apiKeys)
      .set({ scopes: ['query'] })
      .where(eq(apiKeys.id, id));
    await expectEventually(async () => (await keys.find(before.hash))?.scopes).toEqual(['query']);
    const lastUsedAt = new Date();
    keys.setLastUse(before, lastUsedAt);
    expect(await keys.find(before.hash)).toMatchObject({ scopes: ['query'], lastUsedAt });
  });

  it('repeated requests with a cached key do not record its last use again within a minute', async () => {
    await fillCache();
    recorder.takeStatements();
    for (let request = 0; request < 5; request += 1) await getStatus(second.createApi(key));
    expect(recorder.takeStatements().filter((text) => text.startsWith('update'))).toEqual([]);
  });
});

/** A TCP proxy that can stop forwarding data without closing connections, like a network that loses packets. */
interface PausableProxy {
  readonly url: string;
  pause(): void;
  resume(): void;
  /** Closes all connections. */
  disconnect(): void;
  close(): void;
}

async function startPausableProxy(target: URL): Promise<PausableProxy> {
  const sockets = new Set<Socket>();
  let isPaused = false;
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    if (isPaused) from.pause();
    from.on('data', (data) => to.write(data)).on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server: Server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    forward(socket, upstream);
    forward(upstream, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    pause: () => {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    disconnect: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
