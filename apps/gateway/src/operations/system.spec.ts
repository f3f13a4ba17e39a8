import { SCOPES, SERVICE_REPORT_PATHS, type ServiceReport } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import request, { type Response } from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceReports } from '../database/tables/service-reports.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const NEVER = new Promise<never>(() => undefined);

const CRAWLER: ServiceReport = {
  ...{ name: 'crawler', instance: 'host-a-17', version: '9.9.9', startedAt: '2026-01-01T00:00:00.000Z' },
  dependencies: [{ name: 'blobs', required: false, reason: 'access denied', affects: ['crawls'] }],
  components: [{ kind: 'page_renderer', name: 'chromium' }],
};

// Each test has a gateway of its own, because a gateway caches the state of the installation.
let test: TestGateway;
let tenant: Tenant;
beforeEach(async () => {
  test = await startTestGateway();
  tenant = await test.createTenant();
});
afterEach(async () => test.close());

async function postRequest(path: string, body: object): Promise<Response> {
  return request(test.url).post(path).set('Authorization', `Bearer ${test.query.token}`).send(body);
}

/** Returns the name, status and reason of each service, queue or other part that is not ready or available. */
function listProblems(response: Response): readonly unknown[] {
  const { services, queues, backlog, database } = response.body as {
    readonly services: readonly { name: string; status: string; reason: string | null }[];
    readonly queues: readonly { name: string; status: string; reason: string | null }[];
    readonly backlog: { status: string; reason: string | null };
    readonly database: { status: string; reason: string | null };
  }; // as documented
  return [
    ...[...services, ...queues].map(({ name, ...state }) => [name, state.status, state.reason]),
    ...Object.entries({ backlog, database }).map(([name, state]) => [name, state.status, state.reason]),
  ].filter(([, status]) => status !== 'ready' && status !== 'available');
}

describe('GET /system', () => {
  it('GET /system returns the services, queues, waiting jobs and the database', async () => {
    await postRequest(SERVICE_REPORT_PATHS.report, CRAWLER);
    const response = await tenant.api.get('/api/system');
    expect(response.status).toBe(200);
    expectDocumented(response, 'get', '/system');
    expect(response.body).toMatchObject({
      mode: 'services',
      services: [
        { name: 'gateway', status: 'ready', components: [{ kind: 'queue_server', name: 'memory' }] },
        { name: 'query', status: 'ready', instance: 'query-1', components: [{ name: 'qdrant' }] },
        { name: 'ingestion-worker', status: 'unavailable', instance: null, reason: 'no process reports' },
        {
          ...{ name: 'crawler', status: 'degraded', reason: 'blobs: access denied', version: '9.9.9' },
          components: [{ kind: 'page_renderer', name: 'chromium' }],
        },
        { name: 'catalog-sync', status: 'unavailable' },
      ],
      database: { status: 'available', migration: expect.stringMatching(/^\d{4}_\w+$/) as string },
    });
    const { queues, backlog, database } = response.body as {
      readonly queues: readonly { readonly name: string; readonly waiting: number }[];
      readonly backlog: { readonly classes: readonly { readonly class: string }[] };
      readonly database: { readonly sizeBytes: number; readonly migration: string; readonly expectedMigration: string };
    }; // as documented
    expect(queues.map(({ waiting }) => waiting)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(new Set(backlog.classes.map((one) => one.class))).toEqual(new Set(['interactive', 'sync', 'bulk']));
    expect(database.sizeBytes).toBeGreaterThan(1_000_000);
    expect(database.migration).toBe(database.expectedMigration);
  });

  it('GET /system returns 403 for an API key without the scope `operate`', async () => {
    const { key } = await tenant.addKey({ scopes: SCOPES.filter((scope) => scope !== 'operate') });
    const refused = await test.createApi(key).get('/api/system');
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([403, 'insufficient_scope']);
  });

  it('if a process no longer sends reports, GET /system returns it as unavailable, and omits the dependencies of its last report', async () => {
    await postRequest(SERVICE_REPORT_PATHS.report, CRAWLER);
    await test.gateway.db.update(serviceReports).set({ reportedAt: sql`now() - interval '46 seconds'` });
    const { body } = (await tenant.api.get('/api/system')) as { body: { services: readonly object[] } };
    expect(body.services).toContainEqual(
      expect.objectContaining({
        ...{ name: 'crawler', status: 'unavailable', dependencies: [] },
        reason: expect.stringMatching(/^no report for 4\d s, expected one every 15 s$/) as string,
      }),
    );
  });

  it('GET /system does not return a process that was shut down', async () => {
    await postRequest(SERVICE_REPORT_PATHS.report, CRAWLER);
    expect((await postRequest(SERVICE_REPORT_PATHS.end, { instance: CRAWLER.instance })).status).toBe(204);
    const { body } = (await tenant.api.get('/api/system')) as { body: { services: readonly object[] } };
    expect(body.services).toContainEqual(expect.objectContaining({ name: 'crawler', instance: null }));
  });

  it('the internal route of status reports refuses requests without the internal token', async () => {
    expect((await request(test.url).post(SERVICE_REPORT_PATHS.report).send(CRAWLER)).status).toBe(401);
  });
});

describe('GET /system while a dependency hangs', () => {
  it('GET /system responds while the queue server hangs', async () => {
    let reads = 0;
    test.queues.ping = async () => NEVER;
    test.queues.countJobs = async () => {
      reads += 1;
      return NEVER;
    };
    const problems = listProblems(await tenant.api.get('/api/system'));
    expect(problems).toContainEqual(['ingestion', 'unavailable', 'no response within 2000 ms']);
    expect(problems).toContainEqual(['gateway', 'degraded', 'queue: no response within 2000 ms']);
    expect(JSON.stringify(problems)).not.toContain('backlog');
    expect(reads).toBe(6);
  });

  it('GET /system responds while the query service hangs', async () => {
    test.query.readStatus = async () => NEVER;
    const problems = listProblems(await tenant.api.get('/api/system'));
    expect(problems).toContainEqual(['query', 'unavailable', 'no response within 2500 ms']);
  });

  it('GET /system responds while SQL statements wait for locks', async () => {
    const { gateway } = test;
    await gateway.db.transaction(async (tx) => {
      await tx.execute(sql`lock table quarry.service_reports, quarry.outbox in access exclusive mode`);
      const problems = listProblems(await tenant.api.get('/api/system'));
      expect(problems).toContainEqual(['backlog', 'unavailable', 'no response within 2000 ms']);
      expect(problems).toContainEqual(['crawler', 'unavailable', 'unknown: no response within 2000 ms']);
    });
  });

  it('GET /system reads the status of the query service once for all requests within 2 seconds', async () => {
    let reads = 0;
    const { readStatus } = test.query;
    test.query.readStatus = async () => {
      reads += 1;
      return readStatus();
    };
    await Promise.all([1, 2, 3].map(async () => tenant.api.get('/api/system')));
    await tenant.api.get('/api/system');
    expect(reads).toBe(1);
  });
});
