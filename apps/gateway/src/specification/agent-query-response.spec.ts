import { beforeEach, describe, expect, it } from 'vitest';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { createAgent, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
let body: Record<string, unknown>;
let datasourceId: string;

beforeEach(async () => {
  datasourceId = await uploadText(used.tenant.api, used.datastore, 'x', 'manual.txt');
  const source = {
    fragmentId: 'f',
    datasourceId,
    documentKey: 'd',
    customId: 'c',
    source: 'https://example.org',
    page: 2,
    rectangles: [{ page: 2, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 }],
    text: 'Hold.',
  };
  const sources = [{ ...source, score: 0.5, cited: true }];
  used.test.query.answer = () =>
    streamEvents([{ type: 'delta', text: 'Ho' }, buildCompletedEvent('Hold it.', { sources })]);
  const response = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q' });
  expect(response.status).toBe(200);
  body = response.body as Record<string, unknown>; // the assertion above excludes a problem
});

describe('Agent query response', () => {
  it('the field `answer` of an agent query response is a string with the agent’s answer', () => {
    expect(body['answer']).toBe('Hold it.');
  });

  it('the field `conversationId` of an agent query response continues the conversation in the next query', async () => {
    expect(body['conversationId']).toMatch(UUID);
    const next = { query: 'q', conversationId: body['conversationId'] };
    const response = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send(next);
    expect(response.body).toMatchObject({ conversationId: body['conversationId'] });
    const other = await createAgent(used.tenant.api);
    expect((await used.tenant.api.post(`/api/agents/${other}/query`).send(next)).status).toBe(404);
  });

  it('the field `visitorId` of an agent query response is a string that identifies the participant', () => {
    expect(body['visitorId']).toMatch(UUID);
  });

  it('the field `sources` of an agent query response lists the sources of the answer as objects', () => {
    expect(body['sources']).toEqual([
      {
        chunk_id: 'f',
        datasource_id: datasourceId,
        datasource_name: 'manual.txt',
        datasource_type: 'file',
        document_key: 'manual.txt',
        custom_id: 'c',
        source: 'https://example.org',
        score: 0.5,
        page: 2,
        rectangles: [{ page: 2, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 }],
        text: 'Hold.',
        cited: true,
      },
    ]);
  });
});
