import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, createDatastore, getStringField } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

let test: TestGateway;
let tenant: Tenant;

beforeAll(async () => {
  test = await startTestGateway();
  tenant = await test.createTenant();
}, 60_000);
afterAll(async () => test.close());

describe('/api/datastores', () => {
  it('POST /api/datastores creates a datastore with default settings, which GET /api/datastores/{id} returns', async () => {
    const made = await tenant.api.post('/api/datastores').send({ name: 'manuals' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: 'manuals',
      description: null,
      embedding: null,
      splitting: { maxTokens: 512, overlapTokens: 64 },
      ocrLanguages: null,
    });
    expect(made.headers['location']).toBe(`/api/datastores/${getStringField(made, 'id')}`);
    const shown = await tenant.api.get(`/api/datastores/${getStringField(made, 'id')}`);
    expect(shown.body).toEqual(made.body);
  });

  it('POST /api/datastores stores all given fields of a datastore', async () => {
    const body = {
      name: 'Ünïcode \u{1F4DA}',
      description: 'with\nlines',
      embedding: { model: 'text-embedding-3-small', dimensions: 1536, distance: 'cosine' },
      splitting: { maxTokens: 256, overlapTokens: 0 },
      ocrLanguages: ['deu', 'chi_sim', 'script/Latin'],
    };
    const made = await tenant.api.post('/api/datastores').send(body);
    expect(made.body).toMatchObject(body);
  });

  it('POST /api/datastores creates a datastore with the cosine distance if the request has no distance', async () => {
    for (const distance of [undefined, null]) {
      const embedding = { model: 'm', dimensions: 8, distance };
      const made = await tenant.api.post('/api/datastores').send({ name: 'a', embedding });
      expect(made.body).toMatchObject({ embedding: { model: 'm', dimensions: 8, distance: 'cosine' } });
    }
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'a', colour: 'red' }, 'colour'],
    [{ name: 'a', embedding: { model: 'm', dimensions: 0, distance: 'cosine' } }, 'embedding.dimensions'],
    [{ name: 'a', embedding: { model: 'm', dimensions: 8, distance: 'dot' } }, 'embedding.distance'],
    [{ name: 'a', splitting: { maxTokens: 1, overlapTokens: 0 } }, 'splitting.maxTokens'],
    [{ name: 'a', splitting: { maxTokens: 64, overlapTokens: 64 } }, 'splitting.overlapTokens'],
    [{ name: 'a', ocrLanguages: [] }, 'ocrLanguages'],
    [{ name: 'a', ocrLanguages: ['deu', '-l'] }, 'ocrLanguages'],
    [{ name: 'a', ocrLanguages: ['../deu'] }, 'ocrLanguages'],
    [{ name: 'a', ocrLanguages: ['deu', 'deu'] }, 'ocrLanguages'],
    [{ name: 'a', ocrLanguages: 'deu' }, 'ocrLanguages'],
  ])('POST /api/datastores refuses the body %j, and names the field %s', async (body, path) => {
    const response = await tenant.api.post('/api/datastores').send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('POST /api/datastores refuses a request body that is missing, not JSON, too large, or of another content type', async () => {
    const postDatastore = () => tenant.api.post('/api/datastores');
    const broken = await postDatastore().set('Content-Type', 'application/json').send('{"name":');
    expect([broken.status, getStringField(broken, 'code')]).toEqual([400, 'malformed_request']);
    const form = await postDatastore().type('form').send('name=a');
    expect([form.status, getStringField(form, 'code')]).toEqual([415, 'unsupported_media_type']);
    expect(form.text).toContain('application/x-www-form-urlencoded');
    expect((await postDatastore()).status).toBe(400);
    expect((await postDatastore().send([])).status).toBe(400);
    const huge = await postDatastore().send({ name: 'x'.repeat(1_100_000) });
    expect([huge.status, getStringField(huge, 'code')]).toEqual([413, 'payload_too_large']);
    expect(huge.text).toMatch(/limit of 1048576 bytes, found 11000/);
  });

  it('POST /api/datastores replaces characters of a name that PostgreSQL cannot store', async () => {
    const made = await tenant.api
      .post('/api/datastores')
      .set('Content-Type', 'application/json')
      .send('{"name":"a\\u0000b\\ud800"}');
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'a\uFFFDb\uFFFD' });
  });

  it('GET /api/datastores lists each datastore once, newest first, page by page', async () => {
    const own = await test.createTenant();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift(await createDatastore(own.api, { name: `d${index}` }));
    const listed: string[] = [];
    let cursor = '';
    do {
      const { body } = (await own.api.get(`/api/datastores?limit=2&cursor=${cursor}`)) as {
        body: { items: { id: string }[]; next_cursor: string | null };
      };
      expect(body.items.length).toBeLessThanOrEqual(2);
      listed.push(...body.items.map(({ id }) => id));
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    expect(listed).toEqual(ids);
  });

  it.each(['limit=0', 'limit=201', 'limit=many', 'cursor=nonsense', 'sort=name'])(
    'GET /api/datastores refuses the query string ?%s',
    async (query) => {
      const response = await tenant.api.get(`/api/datastores?${query}`);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [{ path: query.split('=')[0] }] });
    },
  );

  it.each(['no-id', '1', '00000000-0000-7000-8000-00000000dead', "'; drop table x"])(
    'GET /api/datastores/{id} returns 404 for the datastore id %s',
    async (id) => {
      const response = await tenant.api.get(`/api/datastores/${encodeURIComponent(id)}`);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'not_found' });
    },
  );

  it('PATCH /api/datastores/{id} changes name, description, splitting and languages of a datastore, and keeps absent fields', async () => {
    const id = await createDatastore(tenant.api, { description: 'old' });
    const change = { name: 'new', splitting: { maxTokens: 100, overlapTokens: 10 }, ocrLanguages: ['deu'] };
    const changed = await tenant.api.patch(`/api/datastores/${id}`).send(change);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ ...change, description: 'old' });
    const emptied = await tenant.api.patch(`/api/datastores/${id}`).send({ description: null });
    expect(emptied.body).toMatchObject({ ...change, description: null });
    const defaults = await tenant.api.patch(`/api/datastores/${id}`).send({ ocrLanguages: null });
    expect(defaults.body).toMatchObject({ ocrLanguages: null });
    const refused = await tenant.api.patch(`/api/datastores/${id}`).send({ embedding: null });
    expect(refused.status).toBe(400);
  });
});

describe('/api/agents', () => {
  it('POST /api/agents creates an agent with settings, GET /api/agents/{id} returns the agent, and GET /api/agents lists it', async () => {
    const datastoreIds = [await createDatastore(tenant.api), await createDatastore(tenant.api)].toReversed();
    const settings = {
      name: 'Support',
      datastoreIds,
      description: 'answers',
      modelName: 'gpt_4o',
      temperature: 0.2,
      maxTokens: 500,
      presencePenalty: -1,
      frequencyPenalty: 1.5,
      topP: 0.9,
      systemPrompt: 'You help.',
      userPrompt: '{context} {query}',
      restrictToKnowledge: false,
      citationMarks: true,
    };
    const made = await tenant.api.post('/api/agents').send(settings);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(settings);
    const id = getStringField(made, 'id');
    expect((await tenant.api.get(`/api/agents/${id}`)).body).toEqual(made.body);
    expect((await tenant.api.get('/api/agents?limit=1')).body).toMatchObject({ items: [{ id }] });
  });

  it('POST /api/agents treats a null field of a new agent as absent', async () => {
    const made = await tenant.api
      .post('/api/agents')
      .send({ name: 'a', datastoreIds: [], temperature: null, modelName: null, systemPrompt: null });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty('temperature');
    expect(made.body).toMatchObject({ systemPrompt: null, restrictToKnowledge: true, citationMarks: false });
  });

  it.each([
    [{ datastoreIds: [] }, 'name'],
    [{ name: 'a' }, 'datastoreIds'],
    [{ name: 'a', datastoreIds: 'x' }, 'datastoreIds'],
    [{ name: 'a', datastoreIds: [], temperature: 1.1 }, 'temperature'],
    [{ name: 'a', datastoreIds: [], presencePenalty: -2.1 }, 'presencePenalty'],
    [{ name: 'a', datastoreIds: [], modelName: 'gpt_9' }, 'modelName'],
    [{ name: 'a', datastoreIds: [], maxTokens: 0 }, 'maxTokens'],
    [{ name: 'a', datastoreIds: [], more: 1 }, 'more'],
  ])('POST /api/agents refuses the body %j, and names the field %s', async (body, path) => {
    const response = await tenant.api.post('/api/agents').send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('POST /api/agents refuses an agent with an unknown datastore, and names the datastore', async () => {
    const datastoreIds = [await createDatastore(tenant.api), '00000000-0000-7000-8000-00000000dead'];
    const response = await tenant.api.post('/api/agents').send({ name: 'a', datastoreIds });
    expect(response.status).toBe(404);
    expect(response.text).toContain('There is no datastore 00000000-0000-7000-8000-00000000dead');
  });

  it('PATCH /api/agents/{id} changes the given fields of an agent, resets null fields, and keeps absent fields', async () => {
    const [one, two] = [await createDatastore(tenant.api), await createDatastore(tenant.api)];
    const id = await createAgent(tenant.api, { datastoreIds: [one], temperature: 0.5, topP: 0.5, systemPrompt: 'old' });
    const changed = await tenant.api
      .patch(`/api/agents/${id}`)
      .send({ name: 'new', datastoreIds: [two, one], temperature: null, maxTokens: 9 });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ name: 'new', datastoreIds: [two, one], topP: 0.5, maxTokens: 9 });
    expect(changed.body).toMatchObject({ systemPrompt: 'old' });
    expect(changed.body).not.toHaveProperty('temperature');
    expect((await tenant.api.get(`/api/agents/${id}`)).body).toEqual(changed.body);
    expect((await tenant.api.patch(`/api/agents/${id}`).send({ temperature: 7 })).status).toBe(400);
  });

  it('POST and PATCH of an agent accept the same datastore id in upper and lower case, and return the id once, in lower case', async () => {
    const datastore = await createDatastore(tenant.api);
    const datastoreIds = [datastore.toUpperCase(), datastore];
    const created = await tenant.api.post('/api/agents').send({ name: 'a', datastoreIds });
    expect(created.body).toMatchObject({ datastoreIds: [datastore] });
    const id = getStringField(created, 'id');
    const changed = await tenant.api.patch(`/api/agents/${id}`).send({ datastoreIds });
    expect(changed.body).toMatchObject({ datastoreIds: [datastore] });
  });

  it('concurrent PATCH requests that change different fields of an agent all take effect', async () => {
    const id = await createAgent(tenant.api, { datastoreIds: [] });
    for (const temperature of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) {
      const bodies = [{ temperature }, { name: `Agent ${temperature}` }, { topP: temperature }];
      await Promise.all(bodies.map(async (body) => tenant.api.patch(`/api/agents/${id}`).send(body)));
      const agent = await tenant.api.get(`/api/agents/${id}`);
      expect(agent.body).toMatchObject({ temperature, topP: temperature, name: `Agent ${temperature}` });
    }
  });

  it('DELETE /api/agents/{id} deletes an agent, and returns 404 for that agent afterwards', async () => {
    const id = await createAgent(tenant.api);
    expect((await tenant.api.delete(`/api/agents/${id}`)).status).toBe(204);
    expect((await tenant.api.get(`/api/agents/${id}`)).status).toBe(404);
    expect((await tenant.api.delete(`/api/agents/${id}`)).status).toBe(404);
  });

  it('DELETE /api/datastores/{id} removes the datastore from agents that use it', async () => {
    const datastore = await createDatastore(tenant.api);
    const id = await createAgent(tenant.api, { datastoreIds: [datastore] });
    expect((await tenant.api.delete(`/api/datastores/${datastore}`)).status).toBe(204);
    expect((await tenant.api.get(`/api/agents/${id}`)).body).toMatchObject({ datastoreIds: [] });
  });
});
