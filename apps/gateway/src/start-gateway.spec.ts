import { once } from 'node:events';
import { datasourceStatusQueue, ingestionQueue, type AnswerEvent } from '@quarry/contracts';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './testing/eventually.js';
import { startGateway, type RunningGateway } from './start-gateway.js';
import { completed } from './testing/fake-query-service.js';
import { makeAgent, makeDatastore, uploadText } from './testing/make.js';
import { METRICS_TOKEN, startTestGateway, type TestGateway } from './testing/start-test-gateway.js';

const ANYWHERE = { host: '127.0.0.1', port: 0 };

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());

async function ask(gateway: RunningGateway, key: string, agent: string): Promise<Response> {
  return fetch(`${gateway.url}/api/agents/${agent}/query`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'Why?', streaming: true }),
  });
}

describe('a gateway', () => {
  it('is alive and ready without a key', async () => {
    const gateway = await startGateway(test.context, ANYWHERE);
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
    const ready = await fetch(`${gateway.url}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'ready' });
    await gateway.close(5_000);
  });

  it('carries an upload to the worker, and what the worker says back', async () => {
    const gateway = await startGateway(test.context, ANYWHERE);
    const tenant = await test.tenant();
    const api = request.agent(gateway.url).set('Authorization', `Bearer ${tenant.key}`);
    const id = await uploadText(api, await makeDatastore(api));
    await eventually(() => test.queues.added(ingestionQueue).length).toBe(1);
    const [job] = test.queues.added(ingestionQueue);
    if (job?.name !== 'index-document') throw new Error('the job indexes a document');
    const { datasourceId, runId } = job.payload;
    const event = { datasourceId, runId, sequence: 1, at: new Date().toISOString(), status: 'synched' } as const;
    await test.queues.producer(datasourceStatusQueue).add('status-changed', event);
    await test.queues.drain();
    expect((await api.get(`/api/datasources/${id}`)).body).toMatchObject({ status: 'synched' });
    await gateway.close(5_000);
  });

  it('lets a stream that is under way finish before it closes', async () => {
    const gateway = await startGateway(test.context, ANYWHERE);
    const tenant = await test.tenant();
    const agent = await makeAgent(tenant.api);
    const word = Promise.withResolvers<undefined>();
    test.query.answer = async function* (): AsyncGenerator<AnswerEvent> {
      await word.promise;
      yield completed('Finished.');
    };
    const response = await ask(gateway, tenant.key, agent);
    const closed = gateway.close(30_000);
    await expect(fetch(`${gateway.url}/health/live`)).rejects.toThrow();
    word.resolve(undefined);
    expect(await response.text()).toMatch(/Finished\.[^]*data: \[DONE\]\n\n$/);
    await closed;
  });

  it('ends a stream in good order that would not finish by the deadline', async () => {
    const gateway = await startGateway(test.context, ANYWHERE);
    const tenant = await test.tenant();
    const agent = await makeAgent(tenant.api);
    test.query.answer = async function* (_request, gone): AsyncGenerator<AnswerEvent> {
      yield { type: 'delta', text: 'So far' };
      await once(gone, 'abort');
    };
    const response = await ask(gateway, tenant.key, agent);
    const [text] = await Promise.all([response.text(), gateway.close(500)]);
    expect(text).toMatch(/data: So fa\n\nevent: answer\ndata: r\n\ndata: \[ERROR\] service_stopping: [^\n]+\n\n$/);
  });

  it('answers 503 while its database is away', async () => {
    const gateway = await startGateway(test.context, ANYWHERE);
    const away = {
      ...test.context,
      database: { ...test.context.database, ping: async () => Promise.reject(new Error('away')) },
    };
    const unready = await startGateway(away, ANYWHERE);
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const ready = await fetch(`${unready.url}/health/ready`, { headers });
    expect([ready.status, await ready.json()]).toMatchObject([503, { dependencies: { database: { error: 'away' } } }]);
    await Promise.all([gateway.close(1_000), unready.close(1_000)]);
  });
});
