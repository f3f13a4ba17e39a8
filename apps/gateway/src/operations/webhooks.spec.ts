import { WEBHOOK_EVENTS } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { webhooks } from '../database/tables/webhooks.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { getStringField } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const URL = 'https://example.org/hook';
const used = setUpTenant();

const createWebhook = async (body: object = {}): Promise<string> =>
  getStringField(await used.tenant.api.post('/api/webhooks').send({ url: URL, ...body }), 'id');

describe('/api/webhooks', () => {
  it('POST /api/webhooks creates a webhook for all events, and only this response contains the secret', async () => {
    const { test, tenant } = used;
    const made = await tenant.api.post('/api/webhooks').send({ url: URL });
    expectDocumented(made, 'post', '/webhooks');
    expect(made.status).toBe(201);
    const { secret, ...rest } = made.body as { secret: string; id: string }; // as documented
    expect(secret).toMatch(/^whsec_/);
    expect(rest).toMatchObject({ url: URL, events: WEBHOOK_EVENTS, enabled: true, lastDelivery: null });
    expect(made.headers['location']).toBe(`/api/webhooks/${rest.id}`);
    const shown = await tenant.api.get(`/api/webhooks/${rest.id}`);
    expectDocumented(shown, 'get', '/webhooks/{id}');
    expect(shown.body).toEqual(rest);
    const [row] = await test.gateway.db.select().from(webhooks).where(eq(webhooks.id, rest.id));
    expect(JSON.stringify(row)).not.toContain(secret.slice('whsec_'.length));
  });

  it('PATCH /api/webhooks/{id} changes the given fields of a webhook, and keeps absent fields', async () => {
    const id = await createWebhook({ events: ['datasource.error'] });
    const path = `/api/webhooks/${id}`;
    const changed = await used.tenant.api.patch(path).send({ enabled: false });
    expectDocumented(changed, 'patch', '/webhooks/{id}');
    expect(changed.body).toMatchObject({ url: URL, events: ['datasource.error'], enabled: false });
    await used.tenant.api.patch(path).send({ url: `${URL}/2`, events: ['datasource.synched'] });
    expect((await used.tenant.api.patch(path).send({})).body).toMatchObject({
      ...{ url: `${URL}/2`, events: ['datasource.synched'], enabled: false },
    });
  });

  it('DELETE /api/webhooks/{id} deletes a webhook, and returns 404 for that webhook afterwards', async () => {
    const path = `/api/webhooks/${await createWebhook()}`;
    expect((await used.tenant.api.delete(path)).status).toBe(204);
    for (const method of ['get', 'patch', 'delete'] as const)
      expect((await used.tenant.api[method](path).send({})).status).toBe(404);
  });

  it.each([
    [{}, 'url'],
    [{ url: 'ftp://example.org' }, 'url'],
    [{ url: 'http://127.0.0.1/hook' }, 'url'],
    [{ url: 'http://10.0.0.1/hook' }, 'url'],
    [{ url: 'http://[::ffff:7f00:1]/hook' }, 'url'],
    [{ url: 'https://user:password@example.org' }, 'url'],
    [{ url: URL, events: [] }, 'events'],
    [{ url: URL, events: ['datasource.made'] }, 'events'],
    [{ url: URL, secret: 'mine' }, 'secret'],
  ])('POST and PATCH /api/webhooks refuse the body %j, and name the field %s', async (body, path) => {
    const response = await used.tenant.api.post('/api/webhooks').send(body);
    expect(response.body).toMatchObject({ status: 400, errors: [{ path: expect.stringContaining(path) as string }] });
    if ('url' in body && path === 'url') {
      const changed = await used.tenant.api.patch(`/api/webhooks/${await createWebhook()}`).send(body);
      expect(changed.body).toMatchObject({ status: 400, errors: [{ path }] });
    }
  });

  it('POST /api/webhooks creates at most twenty webhooks of an organization, even if the requests are parallel', async () => {
    const made = await Promise.all(
      Array.from({ length: 24 }, async () => used.tenant.api.post('/api/webhooks').send({ url: URL })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(made.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'too_many_webhooks',
      detail: 'An organization can have at most 20 webhooks, found 20.',
    });
  });

  it('operations on webhooks refuse limited API keys and keys without the scope `manage`', async () => {
    const { test, tenant, agent } = used;
    const limited = test.createApi((await tenant.addKey({ agentIds: [agent] })).key);
    expect((await limited.get('/api/webhooks')).body).toMatchObject({ code: 'key_limited' });
    expect((await limited.post('/api/webhooks').send({ url: URL })).body).toMatchObject({ code: 'key_limited' });
    const asker = test.createApi((await tenant.addKey({ scopes: ['query', 'ingest'] })).key);
    expect((await asker.get('/api/webhooks')).body).toMatchObject({ code: 'insufficient_scope' });
  });
});
