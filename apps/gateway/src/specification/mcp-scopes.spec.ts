import { describe, expect, it } from 'vitest';
import { TOOLS } from '../mcp/tools.js';
import { connectClient } from '../testing/mcp-clients.js';
import { createAgent, createDatastore, uploadText } from '../testing/create-resources.js';
import type { Api } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

type Request = (api: Api, datasource: string) => Promise<{ readonly status: number }>;

const documents = [{ text: 'a' }];
/** Maps the name of each MCP tool to the requests of the HTTP API that together have the same effect. */
const REQUESTS: Readonly<Record<string, readonly Request[]>> = {
  search: [async (api) => api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' })],
  fetch: [async (api, id) => api.get(`/api/datasources/${id}/fragments`)],
  ask: [async (api) => api.post(`/api/agents/${used.agent}/query`).send({ query: 'q' })],
  list_datastores: [async (api) => api.get('/api/datastores'), async (api) => api.get('/api/agents')],
  add_text: [async (api) => api.post(`/api/datastores/upsert/${used.datastore}`).send({ documents })],
  status: [async (api, id) => api.get(`/api/datasources/${id}`)],
};

async function listTools(key: string): Promise<readonly string[]> {
  const client = await connectClient(`${used.test.url}/mcp`, key);
  const names = (await client.listTools()).map(({ name }) => name);
  await client.close();
  return names;
}

async function callTool(key: string, name: string, input: object) {
  const client = await connectClient(`${used.test.url}/mcp`, key);
  const { structuredContent } = await client.callTool(name, input);
  await client.close();
  return structuredContent;
}

describe.each(['query', 'ingest', 'manage'] as const)('a key with the scope %s', (scope) => {
  it('an API key lists exactly those MCP tools whose corresponding HTTP operations it can call', async () => {
    const { key } = await used.tenant.addKey({ scopes: [scope] });
    const datasource = await uploadText(used.tenant.api, used.datastore);
    const allowed = await Promise.all(
      TOOLS.map(async ({ name }) => {
        const requests = REQUESTS[name] ?? [];
        const replies = await Promise.all(requests.map(async (send) => send(used.test.createApi(key), datasource)));
        return replies.some(({ status }) => status < 300) ? [name] : [];
      }),
    );
    expect(await listTools(key)).toEqual(allowed.flat());
  });
});

describe('a key that cannot list datastores', () => {
  it('over MCP, a key with only the scope `query` lists agents but no datastores, and searches the datastores of these agents by default', async () => {
    const unattached = await createDatastore(used.tenant.api);
    const second = await createDatastore(used.tenant.api);
    await createAgent(used.tenant.api, { datastoreIds: [used.datastore, second] });
    const { key } = await used.tenant.addKey({ scopes: ['query'] });
    const listed = await callTool(key, 'list_datastores', {});
    expect(listed).toMatchObject({ datastores: [], agents: [{}, { id: used.agent }], nextCursor: null });
    await callTool(key, 'search', { query: 'q' });
    const searched = used.test.query.searches.at(-1)?.datastores.map(({ id }) => id);
    expect(searched?.toSorted()).toEqual([used.datastore, second].toSorted());
    // The HTTP API also searches a datastore that the key cannot list.
    await callTool(key, 'search', { query: 'q', datastoreIds: [unattached] });
    expect(used.test.query.searches.at(-1)?.datastores).toMatchObject([{ id: unattached }]);
  });

  it('if the API key can access no datastore, the MCP tool `search` fails with a message about the field `datastoreIds`', async () => {
    const { key } = await used.tenant.addKey({ scopes: ['query'], agentIds: [used.agent] });
    const client = await connectClient(`${used.test.url}/mcp`, key);
    const { isError, content } = await client.callTool('search', { query: 'q' });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^validation_failed: datastoreIds must/)]);
    await client.close();
  });
});

it('a key that cannot read agents cannot use the MCP endpoint of an agent', async () => {
  const { key } = await used.tenant.addKey({ scopes: ['ingest'] });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const refused = await used.test.createApi(key).post(`/mcp/${used.agent}`).send(body);
  expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ code: 'insufficient_scope' })]);
});
