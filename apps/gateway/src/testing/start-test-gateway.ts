import { randomBytes } from 'node:crypto';
import { createInMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { createSecretCipher, type SecretCipher } from '@quarry/encrypted-secrets';
import { FetchFailed } from '@quarry/safe-fetch';
import { createLog, createMetrics, startHttpServer } from '@quarry/service-kit';
import request, { Test } from 'supertest';
import { openWebhookHttpClient, type GatewayContext } from '../context.js';
import { openDatabase } from '../database/database.js';
import { newId } from '../database/id.js';
import { organizations } from '../database/tables/organizations.js';
import type { Gateway } from '../gateway.js';
import { generateApiKey, insertKey, type NewKey } from '../keys/key-repository.js';
import { SCOPES } from '@quarry/contracts';
import { DEFAULT_LIMITS } from '../limits.js';
import { createChangePublisher } from '../changes/change-publisher.js';
import { createWakeSignal } from '../outbox/outbox.js';
import { buildGatewayApp } from '../server.js';
import type { GatewaySettings } from '../settings.js';
import { buildGateway } from '../start-gateway.js';
import { expectAnyDocumentedResponse } from './find-operation.js';
import { createMemoryCounts } from './memory-counts.js';
import { startFakeQueryService, type FakeQueryService } from './fake-query-service.js';
import { createWatchedBlobStore, type WatchedBlobStore } from './watched-blob-store.js';

/**
 * A gateway with its own database, queues and blobs in memory, and a fake query service. Its background tasks run only
 * when a test starts them.
 */
export interface TestGateway {
  readonly context: GatewayContext;
  readonly gateway: Gateway;
  readonly url: string;
  readonly databaseUrl: string;
  readonly queues: InMemoryQueues;
  readonly blobs: WatchedBlobStore;
  readonly query: FakeQueryService;
  /** Decrypts the secrets that the gateway encrypts. */
  readonly secretCipher: SecretCipher;
  /** The log lines of the gateway, as JSON. */
  readonly logged: string[];
  /** Creates an organization, and an API key of that organization with every scope. */
  createTenant(): Promise<Tenant>;
  /** Creates an HTTP client that sends the given API key. Without `key`, the client sends no API key. */
  createApi(key?: string): Api;
  /**
   * Creates an HTTP client whose responses are not compared with the OpenAPI document, for older paths and other
   * formats.
   */
  createUndocumentedApi(key?: string): Api;
  close(): Promise<void>;
}

export type Api = ReturnType<typeof request.agent>;

export interface Tenant {
  readonly organizationId: string;
  readonly key: string;
  /** An HTTP client that sends this key. */
  readonly api: Api;
  /** Creates an additional API key of this organization, by default with every scope. */
  addKey(fields: Partial<NewKey>): Promise<{ readonly id: string; readonly key: string }>;
}

export const METRICS_TOKEN = 'metrics-token-of-the-tests';

export const TEST_SETTINGS: GatewaySettings = {
  limits: DEFAULT_LIMITS,
  requestsPerMinute: 0,
  refusalsPerMinute: 0,
  trustedProxies: false,
  publicUrl: undefined,
  lostAfterMs: 900_000,
  watchMs: 60_000,
  resumeGraceMs: 30_000,
  oidc: undefined,
  embedding: undefined,
  ollamaUrl: 'http://127.0.0.1:9',
  allowLoopback: { crawler: false, catalog: false, webhooks: false },
};

/**
 * Starts a gateway on a new database.
 *
 * @param overrides parts of the context that replace the defaults; if they contain a database, the caller closes it,
 *   and `databaseUrl` is empty
 */
export async function startTestGateway(overrides: Partial<GatewayContext> = {}): Promise<TestGateway> {
  // The module `create-test-database.js` works only in test runs. Benchmarks pass a database of their own, so the
  // module is imported only when it is needed.
  const copy =
    overrides.database === undefined
      ? await (await import('./create-test-database.js')).createTestDatabase()
      : undefined;
  const url = copy?.url ?? '';
  const database = overrides.database ?? openDatabase({ url, connections: 20, onConnectionLost: () => undefined });
  const query = await startFakeQueryService();
  const queues = createInMemoryQueues();
  const blobs = createWatchedBlobStore();
  const logged: string[] = [];
  const secretCipher = createSecretCipher([randomBytes(32)]);
  const context: GatewayContext = {
    database,
    queues,
    blobs,
    queryService: query,
    secretCipher,
    webhookFetch: openWebhookHttpClient(TEST_SETTINGS),
    listingFetch: createUnreachableFetch(),
    log: createLog('gateway', 'info', { write: (line) => logged.push(line) }),
    metrics: createMetrics('gateway', { process: false }),
    metricsToken: METRICS_TOKEN,
    requestCounts: createMemoryCounts(),
    settings: TEST_SETTINGS,
    clock: () => new Date(),
    outboxWritten: createWakeSignal(),
    changes: createChangePublisher({ db: database.db, log: createLog('gateway', 'silent') }),
    listComponents: () => [{ kind: 'queue_server', name: 'memory' }],
    ...overrides,
  };
  const gateway = buildGateway(context);
  const server = await startHttpServer(buildGatewayApp(context, gateway), { host: '127.0.0.1', port: 0 });
  const createUndocumentedApi: TestGateway['createUndocumentedApi'] = (key) => {
    const agent = request.agent(server.url);
    return key === undefined ? agent : agent.set('Authorization', `Bearer ${key}`);
  };
  const createApi: TestGateway['createApi'] = (key) => createUndocumentedApi(key).use(expectDocumentedResponse);
  return {
    ...{
      context,
      gateway,
      queues,
      blobs,
      query,
      secretCipher,
      logged,
      createApi,
      createUndocumentedApi,
      url: server.url,
      databaseUrl: url,
    },
    createTenant: async () => insertTenant(gateway, createApi),
    close: async () => {
      await gateway.liveEvents.close();
      await server.close(100);
      await gateway.changes.close();
      await gateway.notifications.close();
      await context.webhookFetch.close();
      await context.listingFetch.close();
      await gateway.answers.waitUntilDone();
      gateway.pageRenders.close();
      await query.close();
      if (copy === undefined) return;
      await database.close();
      await copy.drop();
    },
  };
}

/** Creates an HTTP client whose requests always fail, because tests reach no address outside of this machine. */
function createUnreachableFetch(): GatewayContext['listingFetch'] {
  return {
    fetch: async () => Promise.reject(new FetchFailed('connect_failed', 'the tests have no network')),
    close: async () => Promise.resolve(),
  };
}

/** Makes a supertest request compare its response with the OpenAPI document. Does nothing for any other value. */
function expectDocumentedResponse(test: unknown): void {
  if (test instanceof Test) test.expect(expectAnyDocumentedResponse);
}

/** Inserts an organization, and an API key of that organization with every scope. */
async function insertTenant({ db }: Gateway, api: TestGateway['createApi']): Promise<Tenant> {
  const organizationId = newId();
  await db.insert(organizations).values({ id: organizationId, name: 'tenant' });
  const addKey: Tenant['addKey'] = async (fields) => {
    const key = generateApiKey();
    return { key, id: await insertKey(db, organizationId, key, { name: 'test', scopes: SCOPES, ...fields }) };
  };
  const { key } = await addKey({});
  return { organizationId, key, api: api(key), addKey };
}
