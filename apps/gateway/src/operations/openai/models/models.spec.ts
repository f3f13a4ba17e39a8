import { beforeEach, describe, expect, it } from 'vitest';
import { createAgent } from '../../../testing/create-resources.js';
import { TEST_SETTINGS } from '../../../testing/start-test-gateway.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const embedding = { model: 'vectors', dimensions: 2, distance: 'cosine' } as const;
const used = setUpTenant({ settings: { ...TEST_SETTINGS, embedding } });

beforeEach(() => {
  const provider = { provider: 'openai', source: 'environment', model: null } as const;
  used.test.query.environmentProviders = [{ ...provider, baseUrl: 'https://openai.example/v1' }];
  used.test.query.models = ['gpt_4o'];
});

describe('/v1/models', () => {
  it('GET /v1/models lists the agents, the configured models and the embedding model', async () => {
    const second = await createAgent(used.tenant.api, { name: 'Second' });
    const body: unknown = (await used.tenant.api.get('/v1/models')).body;
    expect(body).toEqual({
      object: 'list',
      data: [
        {
          id: `agent:${second}`,
          object: 'model',
          created: expect.any(Number) as number,
          owned_by: 'organization',
          shutdown_date: null,
          name: 'Second',
        },
        expect.objectContaining({ id: `agent:${used.agent}`, name: 'helper' }),
        ...['default', 'gpt_4o', 'vectors'].map((id) => ({
          ...{ id, object: 'model', created: 0, owned_by: 'quarry', shutdown_date: null, name: id },
        })),
      ],
      notes: [],
    });
    for (const { id } of (body as { data: { id: string }[] }).data)
      expect(await used.tenant.api.get(`/v1/models/${id}`)).toMatchObject({ status: 200, body: { id } });
  });

  it('GET /v1/models lists only the agents that a limited key can access', async () => {
    await createAgent(used.tenant.api, { name: 'Second' });
    const { key } = await used.tenant.addKey({ agentIds: [used.agent], scopes: ['query'] });
    const body: unknown = (await used.test.createApi(key).get('/v1/models')).body;
    expect(body).toMatchObject({ data: [{ id: `agent:${used.agent}` }] });
    expect((body as { data: unknown[] }).data).toHaveLength(1);
    expect((await used.test.createApi(key).get('/v1/models/vectors')).status).toBe(404);
  });

  it('GET /v1/models lists agents and the embedding model while the query service is unavailable, and reports that configured models are missing', async () => {
    used.test.query.refusal = { status: 503, body: { code: 'dependency_unavailable', detail: 'Later.' } };
    expect(await used.tenant.api.get('/v1/models')).toMatchObject({
      status: 200,
      body: { data: [{ id: `agent:${used.agent}` }, { id: 'vectors' }], notes: ['configured_models_unavailable'] },
    });
  });

  it('DELETE /v1/models/{model} deletes an agent, and refuses to delete a configured model', async () => {
    const model = `agent:${used.agent}`;
    expect((await used.tenant.api.delete(`/v1/models/${model}`)).body).toEqual({
      ...{ id: model, object: 'model', deleted: true },
    });
    expect((await used.tenant.api.get(`/api/agents/${used.agent}`)).status).toBe(404);
    for (const name of ['gpt_4o', 'vectors', 'default'])
      expect(await used.tenant.api.delete(`/v1/models/${name}`)).toMatchObject({
        status: 400,
        body: { error: { param: 'model' } },
      });
  });

  it.each(['default', 'vectors'])(
    'the name %s selects a configured model, even if it is the slug of an agent',
    async (name) => {
      const id = await createAgent(used.tenant.api, { name });
      expect((await used.tenant.api.get(`/v1/models/${name}`)).body).toMatchObject({ id: name, owned_by: 'quarry' });
      expect((await used.tenant.api.delete(`/v1/models/${name}`)).status).toBe(400);
      const asked = { model: name, messages: [{ role: 'user', content: 'Why?' }] };
      const answer = await used.tenant.api.post('/v1/chat/completions').send(asked);
      expect(answer.status).toBe(name === 'default' ? 200 : 404);
      if (name === 'default') expect(used.test.query.questions.at(-1)).toMatchObject({ datastores: [] });
      expect((await used.tenant.api.get(`/v1/models/agent:${name}`)).body).toMatchObject({ id: `agent:${id}` });
    },
  );
});

describe('POST /v1/embeddings', () => {
  const createEmbeddings = (body: object, api = used.tenant.api) =>
    api.post('/v1/embeddings').send({ model: 'vectors', input: 'abc', ...body });

  it('POST /v1/embeddings returns the vector of each text in order, and counts a query', async () => {
    const body: unknown = (await createEmbeddings({ input: ['abc', 'a'], dimensions: 2, user: 'ann' })).body;
    expect(body).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [3, 3] },
        { object: 'embedding', index: 1, embedding: [1, 1] },
      ],
      model: 'vectors',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
    expect(used.test.query.embedded.at(-1)).toEqual({ embedding, texts: ['abc', 'a'] });
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 1 } });
  });

  it('POST /v1/embeddings with `encoding_format: base64` encodes vectors as base64 of 32-bit floating-point numbers', async () => {
    const body: unknown = (await createEmbeddings({ encoding_format: 'base64' })).body;
    const [{ embedding: encoded = '' } = {}] = (body as { data: { embedding?: string }[] }).data;
    const bytes = Buffer.from(encoded, 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4), bytes.length]).toEqual([3, 3, 8]);
  });

  it.each([
    [{ model: 'other' }, 404, 'model'],
    [{ input: '' }, 400, 'input'],
    [{ input: [] }, 400, 'input'],
    [{ input: [1, 2] }, 400, 'input'],
    [{ input: ['a', 'x'.repeat(32_001)] }, 400, 'input[1]'],
    [{ input: Array.from({ length: 2_049 }, () => 'a') }, 400, 'input'],
    [{ dimensions: 3 }, 400, 'dimensions'],
    [{ encoding_format: 'int8' }, 400, 'encoding_format'],
    [{ made_up: 3 }, 400, 'made_up'],
  ])('POST /v1/embeddings refuses a body with %j', async (body, status, param) => {
    expect(await createEmbeddings(body)).toMatchObject({ status, body: { error: { param } } });
  });

  it('POST /v1/embeddings refuses a limited key', async () => {
    const { key } = await used.tenant.addKey({ agentIds: [used.agent] });
    expect((await createEmbeddings({}, used.test.createApi(key))).status).toBe(404);
  });
});
