import { beforeEach, describe, expect, it } from 'vitest';
import { organizations } from '../database/tables/organizations.js';
import { TOOLS } from '../mcp/tools.js';
import { connectClient } from '../testing/mcp-clients.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import type { Api } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const used = setUpTenant();

/** The ids of resources of another organization, which the caller must not reach. */
interface Ids {
  readonly datastore: string;
  readonly agent: string;
  readonly datasource: string;
  readonly conversation: string;
}

/**
 * Maps the name of each MCP tool to functions that build its arguments. The arguments of each contain the id of one
 * resource.
 */
const CALLS: Readonly<Record<string, readonly ((ids: Ids) => object)[]>> = {
  search: [({ datastore }) => ({ query: 'q', datastoreIds: [datastore] })],
  fetch: [({ datasource }) => ({ id: datasource })],
  ask: [
    ({ agent }) => ({ question: 'q', agentId: agent }),
    ({ conversation }) => ({ question: 'q', agentId: used.agent, conversationId: conversation }),
  ],
  add_text: [({ datastore }) => ({ text: 'a', datastoreId: datastore })],
  status: [({ datasource }) => ({ id: datasource })],
};
/** Names of the MCP tools that take no id and list what the caller can access. */
const LISTS = ['list_datastores'];

async function createTenantResources(api: Api): Promise<Ids> {
  const datastore = await createDatastore(api);
  const agent = await createAgent(api, { datastoreIds: [datastore] });
  const conversation = getStringField(
    await api.post(`/api/agents/${agent}/query`).send({ query: 'q' }),
    'conversationId',
  );
  return { datastore, agent, conversation, datasource: await uploadText(api, datastore) };
}

const UNKNOWN: Ids = { datastore: UNKNOWN_ID, agent: UNKNOWN_ID, datasource: UNKNOWN_ID, conversation: UNKNOWN_ID };
const maskIds = (text: string): string => text.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>');

async function callTool(path: string, key: string, name: string, input: object): Promise<readonly [boolean, string]> {
  const client = await connectClient(`${used.test.url}${path}`, key);
  const { isError, content } = await client.callTool(name, input);
  await client.close();
  return [isError === true, content.map(({ text = '' }) => text).join('')];
}

let foreign: Ids;
beforeEach(async () => {
  foreign = await createTenantResources((await used.test.createTenant()).api);
});

it('the isolation tests cover every MCP tool', () => {
  expect([...Object.keys(CALLS), ...LISTS].toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
});

const EACH_CALL = Object.entries(CALLS).flatMap(([name, builds]) => builds.map((build) => [name, build] as const));

describe('the isolation of organizations in MCP', () => {
  it.each(EACH_CALL)(
    'the MCP tool %s returns the same response for resources of another organization as for unknown ids',
    async (name, build) => {
      const [isError, text] = await callTool('/mcp', used.tenant.key, name, build(foreign));
      expect([isError, text]).toEqual([true, expect.stringMatching(/^not_found: /)]);
      const [, unknown] = await callTool('/mcp', used.tenant.key, name, build(UNKNOWN));
      expect(maskIds(text)).toBe(maskIds(unknown));
    },
  );

  it.each(EACH_CALL)(
    'the MCP tool %s does not find resources that a limited key cannot access',
    async (name, build) => {
      const colleagues = await createTenantResources(used.tenant.api);
      const { key } = await used.tenant.addKey({ agentIds: [used.agent], datastoreIds: [used.datastore] });
      expect(await callTool('/mcp', key, name, build(colleagues))).toEqual([
        true,
        expect.stringMatching(/^not_found: /),
      ]);
    },
  );

  it.each(EACH_CALL)(
    'the MCP tool %s, called at the endpoint of an agent, does not find resources that the agent does not use',
    async (name, build) => {
      const colleagues = await createTenantResources(used.tenant.api);
      expect(await callTool(`/mcp/${used.agent}`, used.tenant.key, name, build(colleagues))).toEqual([
        true,
        expect.stringMatching(/^not_found: /),
      ]);
    },
  );

  it.each(['/mcp', 'agent'])(
    'at the MCP endpoint %s, lists and searches include only resources of the organization of the API key',
    async (endpoint) => {
      const path = endpoint === 'agent' ? `/mcp/${used.agent}` : endpoint;
      const [isError, text] = await callTool(path, used.tenant.key, 'list_datastores', {});
      expect(isError).toBe(false);
      expect(text).toContain(used.datastore);
      for (const id of Object.values(foreign) as string[]) expect(text).not.toContain(id);
      await callTool(path, used.tenant.key, 'search', { query: 'q' });
      expect(used.test.query.searches.at(-1)).toMatchObject({
        organizationId: used.tenant.organizationId,
        datastores: [{ id: used.datastore }],
      });
    },
  );

  it('if an API key is limited to one datastore, the tool `list_datastores` lists only this datastore', async () => {
    await createTenantResources(used.tenant.api);
    const { key } = await used.tenant.addKey({ agentIds: [], datastoreIds: [used.datastore] });
    const [, text] = await callTool('/mcp', key, 'list_datastores', {});
    expect(JSON.parse(text)).toMatchObject({ datastores: [{ id: used.datastore }], agents: [], nextCursor: null });
  });

  it('the MCP endpoint of an agent of another organization returns 404', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const id of [foreign.agent, UNKNOWN_ID, 'x']) {
      const response = await fetch(`${used.test.url}/mcp/${id}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${used.tenant.key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    }
  });

  it('an MCP tool call above the monthly query limit is refused and not counted', async () => {
    await used.test.gateway.db.update(organizations).set({ agentQueriesPerMonth: 1 });
    expect((await callTool('/mcp', used.tenant.key, 'search', { query: 'q' }))[0]).toBe(false);
    expect(await callTool('/mcp', used.tenant.key, 'search', { query: 'q' })).toEqual([
      true,
      expect.stringMatching(/^usage_limit_reached: /),
    ]);
    await used.test.gateway.db.update(organizations).set({ agentQueriesPerMonth: null });
  });
});
