import { expect, it, onTestFinished } from 'vitest';
import { buildCompletedEvent } from '../testing/fake-query-service.js';
import { createAgent } from '../testing/create-resources.js';
import { openSeverableDatabase } from '../testing/severable-database.js';
import { openStream } from '../testing/open-stream.js';
import { startTestGateway } from '../testing/start-test-gateway.js';

const STREAMED = { query: 'Why?', streaming: true };

it.each([
  ['an agent', (agent: string) => `/api/agents/${agent}/query`, STREAMED],
  ['an agent, resumable', (agent: string) => `/api/agents/${agent}/query`, { ...STREAMED, resumable: true }],
  ['responses', () => '/v1/responses', { input: 'Why?', stream: true }],
])(
  'a streamed answer ends with the error dependency_unavailable if the database fails before the answer is stored (%s)',
  async (_surface, getPath, body) => {
    const { database, sever } = await openSeverableDatabase();
    const test = await startTestGateway({ database });
    onTestFinished(() => test.close());
    const { api, key } = await test.createTenant();
    const agent = await createAgent(api);
    const begun = Promise.withResolvers<undefined>();
    test.query.answer = async function* () {
      await begun.promise;
      sever();
      yield buildCompletedEvent('Because.');
    };
    const stream = await openStream(test, {
      ...{ key, method: 'POST', path: getPath(agent), body: { ...body, model: `agent:${agent}` } },
    });
    begun.resolve(undefined);
    await stream.ended;
    const received = stream.events.map(({ data }) => data).join('\n');
    expect(received).toMatch(/dependency_unavailable/);
    expect(received).not.toMatch(/internal_error/);
    const logged = test.logged.filter((line) => line.includes(String(stream.response.headers['x-request-id'])));
    expect(logged.join('')).toMatch(/ECONNREFUSED|Connection terminated/);
  },
);
