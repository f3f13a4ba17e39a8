import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { GatewayContext } from '../context.js';
import { buildCompletedEvent, streamEvents } from './fake-query-service.js';
import { createAgent, createDatastore } from './create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from './start-test-gateway.js';

/**
 * Holds the gateway that the tests of a file share. Also holds the organization, the datastore and the agent of the
 * current test, which are new for each test.
 */
export interface UsedTenant {
  readonly test: TestGateway;
  readonly tenant: Tenant;
  readonly datastore: string;
  readonly agent: string;
}

/**
 * Registers hooks that start the gateway and create an organization before each test. Call this function once at the
 * top of a test file.
 */
export function setUpTenant(overrides: Partial<GatewayContext> = {}): UsedTenant {
  const used: { -readonly [Part in keyof UsedTenant]?: UsedTenant[Part] } = {};
  beforeAll(async () => {
    used.test = await startTestGateway(overrides);
  }, 60_000);
  afterAll(async () => used.test?.close());
  beforeEach(async () => {
    if (used.test === undefined) throw new Error('expected a running gateway, found none');
    used.tenant = await used.test.createTenant();
    used.datastore = await createDatastore(used.tenant.api);
    used.agent = await createAgent(used.tenant.api, { datastoreIds: [used.datastore] });
  });
  afterEach(() => {
    if (used.test === undefined) return;
    used.test.query.refusal = undefined;
    used.test.query.fragments = [];
    used.test.query.answer = () => streamEvents([{ type: 'delta', text: 'Yes.' }, buildCompletedEvent('Yes.')]);
  });
  return used as UsedTenant; // complete before the first test
}
