import { randomBytes } from 'node:crypto';
import { inMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import { createLog, createMetrics, listen } from '@quarry/service-kit';
import request, { Test } from 'supertest';
import { openWebhookFetch, type GatewayContext } from '../context.js';
import { openDatabase } from '../database/database.js';
import { newId } from '../database/id.js';
import { organizations } from '../database/tables/organizations.js';
import type { Gateway } from '../gateway.js';
import { newApiKey } from '../keys/api-key.js';
import { insertKey, type NewKey } from '../keys/key-repository.js';
import { SCOPES } from '@quarry/contracts';
import { DEFAULT_LIMITS } from '../limits.js';
import { createSignal } from '../outbox/signal.js';
import { gatewayApp } from '../server.js';
import type { GatewaySettings } from '../settings.js';
import { buildGateway } from '../start-gateway.js';
import { copyDatabase } from './copy-database.js';
import { expectAnyDocumented } from './document-paths.js';
import { memoryCounts } from './memory-counts.js';
import { startFakeQueryService, type FakeQueryService } from './fake-query-service.js';
import { watchedBlobStore, type WatchedBlobStore } from './watched-blob-store.js';

/**
 * A gateway on a database of its own, with queues and blobs in memory and a query service that says what it is told. Its
 * background parts run when a test runs them.
 */
export interface TestGateway {
  readonly context: GatewayContext;
  readonly gateway: Gateway;
  readonly url: string;
  readonly databaseUrl: string;
  readonly queues: InMemoryQueues;
  readonly blobs: WatchedBlobStore;
  readonly query: FakeQueryService;
  /** Decrypts what the gateway encrypts. */
  readonly secretCipher: SecretCipher;
  /** Log lines, as JSON. */
  readonly logged: string[];
  /** A new organization, and a key of it with every scope. */
  tenant(): Promise<Tenant>;
  /** Asks with a key, or without any. */
  api(key?: string): Api;
  close(): Promise<void>;
}

export type Api = ReturnType<typeof request.agent>;

export interface Tenant {
  readonly organizationId: string;
  readonly key: string;
  /** Asks with that key. */
  readonly api: Api;
  /** Makes another key of this tenant. */
  addKey(made: Partial<NewKey>): Promise<{ readonly id: string; readonly key: string }>;
}

export const METRICS_TOKEN = 'metrics-token-of-the-tests';

export const TEST_SETTINGS: GatewaySettings = {
  limits: DEFAULT_LIMITS,
  requestsPerMinute: 0,
  refusalsPerMinute: 0,
  trustedProxies: false,
  lostAfterMs: 900_000,
  watchMs: 60_000,
  embedding: undefined,
  allowLoopback: { crawler: false, catalog: false, webhooks: false },
};

export async function startTestGateway(overrides: Partial<GatewayContext> = {}): Promise<TestGateway> {
  const copy = await copyDatabase();
  const database = openDatabase({ url: copy.url, connections: 20, onConnectionLost: () => undefined });
  const query = await startFakeQueryService();
  const queues = inMemoryQueues();
  const blobs = watchedBlobStore();
  const logged: string[] = [];
  const secretCipher = createSecretCipher([randomBytes(32)]);
  const context: GatewayContext = {
    database,
    queues,
    blobs,
    queryService: query,
    secretCipher,
    webhookFetch: openWebhookFetch(TEST_SETTINGS),
    log: createLog('gateway', 'info', { write: (line) => logged.push(line) }),
    metrics: createMetrics('gateway', { process: false }),
    metricsToken: METRICS_TOKEN,
    requestCounts: memoryCounts(),
    settings: TEST_SETTINGS,
    clock: () => new Date(),
    outboxWritten: createSignal(),
    ...overrides,
  };
  const gateway = buildGateway(context);
  const server = await listen(gatewayApp(context, gateway), { host: '127.0.0.1', port: 0 });
  const api: TestGateway['api'] = (key) => {
    const agent = request.agent(server.url).use(documented);
    return key === undefined ? agent : agent.set('Authorization', `Bearer ${key}`);
  };
  return {
    ...{ context, gateway, queues, blobs, query, secretCipher, logged, api, url: server.url, databaseUrl: copy.url },
    tenant: async () => makeTenant(gateway, api),
    close: async () => {
      await server.close(100);
      await context.webhookFetch.close();
      await gateway.answers.settled();
      await query.close();
      await database.close();
      await copy.drop();
    },
  };
}

/** Every response of every test is held against the document. */
function documented(asked: unknown): void {
  if (asked instanceof Test) asked.expect(expectAnyDocumented);
}

async function makeTenant({ db }: Gateway, api: TestGateway['api']): Promise<Tenant> {
  const organizationId = newId();
  await db.insert(organizations).values({ id: organizationId, name: 'tenant' });
  const addKey: Tenant['addKey'] = async (made) => {
    const key = newApiKey();
    return { key, id: await insertKey(db, organizationId, key, { name: 'test', scopes: SCOPES, ...made }) };
  };
  const { key } = await addKey({});
  return { organizationId, key, api: api(key), addKey };
}
