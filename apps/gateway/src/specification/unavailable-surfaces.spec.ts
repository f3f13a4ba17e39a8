import { expect, it } from 'vitest';
import { listGatewayDependencies } from '../dependencies.js';
import { OLDER_PATHS } from '../http/compatibility/older-paths.js';
import { TOOLS } from '../mcp/tools.js';
import { OPENAI_OPERATIONS } from '../operations/openai/routes.js';
import { createAgent, createDatastore, uploadText } from '../testing/create-resources.js';
import { connectClient } from '../testing/mcp-clients.js';
import { OLDER_PATH_CALLS } from '../testing/older-path-calls.js';
import { OPENAI_CALLS, createOpenAiResources } from '../testing/openai-calls.js';
import type { Tenant } from '../testing/start-test-gateway.js';
import { startGatewayWithSwitch } from '../testing/start-gateway-with-switch.js';

const PING = { ping: () => Promise.resolve() };
const DEPENDENCIES = listGatewayDependencies({ database: PING, queues: PING, blobs: PING, queryService: PING });
const OPTIONAL = ['nothing', 'queue', 'blobs', 'query'];

const listNeedingOperations = (name: string): readonly string[] =>
  DEPENDENCIES.find((dependency) => dependency.name === name)?.neededBy ?? [];

/** Operations that refuse every request: no response can be compacted or cancelled. */
const ALWAYS_REFUSED = ['compactResponse', 'cancelResponse'];
/**
 * Ids of operations that are tested with resources of their own, because earlier operations of the test complete the
 * shared upload and replace the file of the shared batch.
 */
const NEEDS_OWN = [
  'cancelUpload',
  ...['retrieve', 'cancel'].map((verb) => `${verb}VectorStoreFileBatch`),
  'listFilesInVectorStoreBatch',
];

it.each(OPTIONAL)(
  'while the dependency %s is unavailable, exactly the operations of /v1 that need it return 503',
  async (name) => {
    const { test, switchOff } = await startGatewayWithSwitch(name);
    const { api } = await test.createTenant();
    const agent = await createAgent(api, { datastoreIds: [await createDatastore(api)] });
    const ids = await createOpenAiResources(api, agent);
    const own = await createOpenAiResources(api, agent);
    switchOff();
    const found: (readonly [string, number])[] = [];
    // Deletions are last, in reverse order, so that a resource is deleted before the resource that contains it.
    const [deletions, others] = [true, false].map((isDeletion) =>
      OPENAI_OPERATIONS.filter(({ method }) => (method === 'delete') === isDeletion),
    );
    for (const { id } of [...(others ?? []), ...(deletions ?? []).toReversed()]) {
      const send = OPENAI_CALLS.get(id);
      if (send === undefined) throw new Error(`expected a call of ${id} in OPENAI_CALLS, found none`);
      found.push([id, (await send(api, NEEDS_OWN.includes(id) ? own : ids)).status]);
    }
    const needing = listNeedingOperations(name);
    expect(found.filter(([, status]) => status === 503).map(([id]) => id)).toEqual(
      found.map(([id]) => id).filter((id) => needing.includes(id)),
    );
    const refused = found.filter(([, status]) => status >= 400 && status !== 503).map(([id]) => id);
    expect(refused).toEqual(ALWAYS_REFUSED);
  },
);

const ARGUMENTS: Readonly<Record<string, (datasource: string, agent: string) => object>> = {
  search: () => ({ query: 'q' }),
  fetch: (id) => ({ id }),
  ask: (_id, agentId) => ({ question: 'q', agentId }),
  list_datastores: () => ({}),
  add_text: () => ({ text: 'a' }),
  status: (id) => ({ id }),
};

/** Switches a dependency off, and calls each MCP tool. @returns the names of the tools that failed */
async function listFailingTools(url: string, { key, api }: Tenant, switchOff: () => void): Promise<readonly string[]> {
  const datastore = await createDatastore(api);
  const agent = await createAgent(api, { datastoreIds: [datastore] });
  const datasource = await uploadText(api, datastore);
  const client = await connectClient(`${url}/mcp`, key);
  switchOff();
  const failing: string[] = [];
  for (const { name } of TOOLS) {
    const { isError, content } = await client.callTool(name, ARGUMENTS[name]?.(datasource, agent) ?? {});
    const [{ text } = {}] = content;
    if (isError === true) expect([name, text]).toEqual([name, expect.stringMatching(/^dependency_unavailable: /)]);
    if (isError === true) failing.push(name);
  }
  await client.close();
  return failing;
}

it.each(OPTIONAL)(
  'while the dependency %s is unavailable, exactly the MCP tools whose operations need it fail',
  async (name) => {
    const { test, switchOff } = await startGatewayWithSwitch(name);
    const failing = await listFailingTools(test.url, await test.createTenant(), switchOff);
    const needing = listNeedingOperations(name);
    const expected = TOOLS.filter(({ operations }) => operations.some((id) => needing.includes(id)));
    expect(failing).toEqual(expected.map(({ name: tool }) => tool));
  },
);

it.each(OPTIONAL)(
  'while the dependency %s is unavailable, exactly the older paths of operations that need it return 503',
  async (name) => {
    const { test, switchOff } = await startGatewayWithSwitch(name);
    const tenant = await test.createTenant();
    const datastore = await createDatastore(tenant.api);
    const agent = await createAgent(tenant.api, { datastoreIds: [datastore] });
    const api = test.createUndocumentedApi(tenant.key);
    switchOff();
    const found: (readonly [string, boolean])[] = [];
    for (const { path, operationId } of OLDER_PATHS) {
      const filled = path.replace(/\{\w+\}/, path.includes('/agents/') ? agent : datastore);
      const response = await OLDER_PATH_CALLS[operationId]?.(api, filled);
      expect([path, response?.status]).toEqual([path, expect.toBeOneOf([200, 201, 503])]);
      found.push([path, response?.status === 503]);
    }
    const needing = listNeedingOperations(name);
    expect(found).toEqual(OLDER_PATHS.map(({ path, operationId }) => [path, needing.includes(operationId)]));
  },
);
