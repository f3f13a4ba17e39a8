import { once } from 'node:events';
import { datasourceStatusQueue, ingestionQueue, type AnswerEvent } from '@quarry/contracts';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEventually } from './testing/expect-eventually.js';
import { startGateway, type RunningGateway } from './start-gateway.js';
import { buildCompletedEvent } from './testing/fake-query-service.js';
import { createAgent, createDatastore, uploadText } from './testing/create-resources.js';
import { METRICS_TOKEN, startTestGateway, type TestGateway } from './testing/start-test-gateway.js';

const ADDRESS = { host: '127.0.0.1', port: 0 };

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());

async function askAgent(gateway: RunningGateway, key: string, agent: string): Promise<Response> {
  return fetch(`${gateway.url}/api/agents/${agent}/query`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'Why?', streaming: true }),
  });
}

describe('a gateway', () => {
  it('a gateway responds to the liveness and readiness checks without an API key', async () => {
    const gateway = await startGateway(test.context, ADDRESS);
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
    const ready = await fetch(`${gateway.url}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'ready' });
    await gateway.close(5_000);
  });

  it('a gateway enqueues the job of an uploaded file, and records the status that the worker reports', async () => {
    const gateway = await startGateway(test.context, ADDRESS);
    const tenant = await test.createTenant();
    const api = request.agent(gateway.url).set('Authorization', `Bearer ${tenant.key}`);
    const id = await uploadText(api, await createDatastore(api));
    await expectEventually(() => test.queues.listAddedJobs(ingestionQueue).length).toBe(1);
    const [job] = test.queues.listAddedJobs(ingestionQueue);
    if (job?.name !== 'index-document') throw new Error('expected a job that indexes a document');
    const { datasourceId, runId } = job.payload;
    const event = { datasourceId, runId, sequence: 1, at: new Date().toISOString(), status: 'synched' } as const;
    await test.queues.createProducer(datasourceStatusQueue).add('status-changed', event);
    await test.queues.runAllJobs();
    expect((await api.get(`/api/datasources/${id}`)).body).toMatchObject({ status: 'synched' });
    await gateway.close(5_000);
  });

  it('a gateway finishes a streamed answer in progress before it closes', async () => {
    const gateway = await startGateway(test.context, ADDRESS);
    const tenant = await test.createTenant();
    const agent = await createAgent(tenant.api);
    const released = Promise.withResolvers<undefined>();
    test.query.answer = async function* (): AsyncGenerator<AnswerEvent> {
      await released.promise;
      yield buildCompletedEvent('Finished.');
    };
    const response = await askAgent(gateway, tenant.key, agent);
    const closed = gateway.close(30_000);
    await expect(fetch(`${gateway.url}/health/live`)).rejects.toThrow();
    released.resolve(undefined);
    expect(await response.text()).toMatch(/Finished\.[^]*data: \[DONE\]\n\n$/);
    await closed;
  });

  it('if a streamed answer does not end by itself, a stopping gateway ends it with [ERROR] before the shutdown deadline', async () => {
    const gateway = await startGateway(test.context, ADDRESS);
    const tenant = await test.createTenant();
    const agent = await createAgent(tenant.api);
    test.query.answer = async function* (_request, disconnected): AsyncGenerator<AnswerEvent> {
      yield { type: 'delta', text: 'So far' };
      await once(disconnected, 'abort');
    };
    const response = await askAgent(gateway, tenant.key, agent);
    const [text] = await Promise.all([response.text(), gateway.close(500)]);
    expect(text).toMatch(/data: So fa\n\nevent: answer\ndata: r\n\ndata: \[ERROR\] service_stopping: [^\n]+\n\n$/);
  });

  it('a gateway responds with 503 to /health/ready while its database is unavailable', async () => {
    const gateway = await startGateway(test.context, ADDRESS);
    const context = {
      ...test.context,
      database: { ...test.context.database, ping: async () => Promise.reject(new Error('down')) },
    };
    const unready = await startGateway(context, ADDRESS);
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const ready = await fetch(`${unready.url}/health/ready`, { headers });
    expect([ready.status, await ready.json()]).toMatchObject([503, { dependencies: { database: { error: 'down' } } }]);
    await Promise.all([gateway.close(1_000), unready.close(1_000)]);
  });
});
