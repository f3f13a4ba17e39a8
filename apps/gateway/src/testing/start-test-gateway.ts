import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { inMemoryQueues, type InMemoryQueues } from '@quarry/queue-bullmq/testing';
import { createLog, createMetrics } from '@quarry/service-kit';
import type { Express } from 'express';
import request from 'supertest';
import type { GatewayContext } from '../context.js';
import { newId } from '../database/id.js';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { migrateDatabase } from '../database/migrate.js';
import { organizations } from '../database/tables/organizations.js';
import type { Gateway } from '../gateway.js';
import { newApiKey } from '../keys/api-key.js';
import { insertKey, type NewKey } from '../keys/key-repository.js';
import { SCOPES } from '../keys/scopes.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { buildGateway } from '../start-gateway.js';
import { gatewayApp } from '../server.js';
import { startFakeQueryService, type FakeQueryService } from './fake-query-service.js';

/** A gateway on a database of its own, with queues and blobs in memory. Its background parts run when a test runs them. */
export interface TestGateway {
  readonly context: GatewayContext;
  readonly gateway: Gateway;
  readonly app: Express;
  readonly databaseUrl: string;
  readonly queues: InMemoryQueues;
  readonly query: FakeQueryService;
  /** Log lines, as JSON. */
  readonly logged: string[];
  /** A tenant, and a key of it with every scope. */
  organization(): Promise<Tenant>;
  close(): Promise<void>;
}

export interface Tenant {
  readonly organizationId: string;
  /** The key's text. */
  readonly key: string;
  /** Another key of this tenant. */
  addKey(made: Partial<NewKey>): Promise<{ readonly id: string; readonly key: string }>;
}

export async function startTestGateway(settings: Partial<GatewayContext['settings']> = {}): Promise<TestGateway> {
  const postgres = await startTestPostgres();
  const databaseUrl = await postgres.createDatabase();
  await migrateDatabase(databaseUrl);
  const database = openDatabase({ url: databaseUrl, connections: 20, onConnectionLost: () => undefined });
  const query = await startFakeQueryService();
  const queues = inMemoryQueues();
  const logged: string[] = [];
  const context: GatewayContext = {
    database,
    queues,
    blobs: inMemoryBlobStore(),
    queryService: query,
    log: createLog('gateway', 'info', { write: (line) => logged.push(line) }),
    metrics: createMetrics('gateway', { process: false }),
    settings: { limits: DEFAULT_LIMITS, lostAfterMs: 900_000, embedding: undefined, ...settings },
    clock: () => new Date(),
  };
  const gateway = buildGateway(context);
  return {
    ...{ context, gateway, databaseUrl, queues, query, logged },
    app: gatewayApp(context, gateway),
    organization: async () => makeTenant(database),
    close: async () => {
      await query.close();
      await database.close();
      await postgres.stop();
    },
  };
}

async function makeTenant({ db }: OpenDatabase): Promise<Tenant> {
  const organizationId = newId();
  await db.insert(organizations).values({ id: organizationId, name: 'tenant' });
  const addKey: Tenant['addKey'] = async (made) => {
    const key = newApiKey();
    const id = await insertKey(db, organizationId, key, { name: 'test', scopes: SCOPES, ...made });
    return { id, key };
  };
  const { key } = await addKey({});
  return { organizationId, key, addKey };
}

/** A datastore of the key's tenant. @returns its id */
export async function makeDatastore(app: Express, key: string, body: object = {}): Promise<string> {
  const response = await request(app)
    .post('/api/datastores')
    .set('Authorization', `Bearer ${key}`)
    .send({ name: 'manuals', ...body });
  return idOf(response);
}

/** An agent of the key's tenant. @returns its id */
export async function makeAgent(app: Express, key: string, body: object = {}): Promise<string> {
  const response = await request(app)
    .post('/api/agents')
    .set('Authorization', `Bearer ${key}`)
    .send({ name: 'helper', datastoreIds: [], ...body });
  return idOf(response);
}

function idOf(response: request.Response): string {
  const body: unknown = response.body;
  if (typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string') return body.id;
  throw new Error(`nothing was made: ${response.status} ${response.text}`);
}
