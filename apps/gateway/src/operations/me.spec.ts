import { describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, ensureRootKey } from '../keys/root-key.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

describe('GET /me', () => {
  it('GET /me describes the API key of the request and its organization, but does not return the key itself', async () => {
    const { test, tenant } = used;
    const limits = { agentQueriesPerMonth: 7, storedTokens: null };
    await updateOrganization(test.gateway.db, tenant.organizationId, { limits }, new Date());
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { key, id } = await tenant.addKey({ name: 'reader', scopes: ['ingest'], expiresAt });
    const response = await test.createApi(key).get('/api/me');
    expect(response.status).toBe(200);
    expectDocumented(response, 'get', '/me');
    expect(response.body).toMatchObject({
      organization: { id: tenant.organizationId, name: 'tenant', limits },
      key: {
        ...{ id, name: 'reader', prefix: key.slice(0, 10), scopes: ['ingest'], limits: null, root: false },
        expiresAt: expiresAt.toISOString(),
      },
    });
    expect(response.text).not.toContain(key);
  });

  it.each([['query'], ['ingest'], ['manage']] as const)(
    'GET /me accepts an API key with only the scope %s',
    async (scope) => {
      const { key } = await used.tenant.addKey({ scopes: [scope] });
      expect((await used.test.createApi(key).get('/api/me')).body).toMatchObject({ key: { scopes: [scope] } });
    },
  );

  it('GET /me returns the agents and datastores of a limited key', async () => {
    const { test, tenant, agent } = used;
    const { key } = await tenant.addKey({ agentIds: [agent] });
    const shown = await test.createApi(key).get('/api/me');
    expect(shown.body).toMatchObject({ key: { limits: { agentIds: [agent], datastoreIds: [] } } });
  });

  it('GET /me returns `root: true` for the root key', async () => {
    const { test } = used;
    await ensureRootKey(test.gateway.db, 'the-root-key-of-the-tests');
    const shown = await test.createApi('the-root-key-of-the-tests').get('/api/me');
    expect(shown.body).toMatchObject({ organization: { id: DEFAULT_ORGANIZATION_ID }, key: { root: true } });
  });

  it('GET /me refuses a request without an API key', async () => {
    expect((await used.test.createApi().get('/api/me')).status).toBe(401);
  });
});
