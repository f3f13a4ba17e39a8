import { rm } from 'node:fs/promises';
import { createClient } from '@quarry/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from './quarry/data-folder.js';
import { buildHostileMcpRequests, type McpIds } from './quarry/hostile-mcp-requests.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from './quarry/quarry-process.js';
import { sendRequestsAndFindFaults, sendHostileRequest } from './quarry/send-hostile-request.js';

describe('hostile requests to the MCP endpoints of the real process', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;
  let origin: string;
  let ids: McpIds;

  beforeAll(async () => {
    dataDirectory = await createDataFolder();
    quarry = await startQuarry(dataDirectory, { QUARRY_RATE_LIMIT: '0' });
    origin = new URL(quarry.baseUrl).origin;
    const client = createClient({ baseUrl: quarry.baseUrl, apiKey: ROOT_KEY });
    const { id: datastoreId } = await client.createDatastore({ name: 'hostile' });
    const { id: agentId } = await client.createAgent({ name: 'hostile', datastoreIds: [datastoreId] });
    const [datasourceId = ''] = (await client.upsertDocuments(datastoreId, [{ text: 'A document.' }])).ids;
    ids = { agentId, datastoreId, datasourceId };
  });

  afterAll(async () => {
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it.each([
    ['/mcp', 1],
    // Both endpoints share their code except for the agent, so the second endpoint receives only a third of the
    // requests.
    ['/mcp/{agent}', 3],
  ])(
    'the endpoint %s refuses hostile requests with a JSON-RPC error, without a crash or an internal error',
    async (endpoint, step) => {
      const all = buildHostileMcpRequests(endpoint.replace('{agent}', ids.agentId), ids);
      const requests = all.filter((_, at) => at % step === 0);
      expect(requests.length).toBeGreaterThan(1_000);
      expect(await sendRequestsAndFindFaults({ origin, token: ROOT_KEY }, requests)).toEqual([]);
      expect(quarry.hasEnded(), quarry.output()).toBe(false);
      expect((await fetch(`${origin}/health/live`)).status).toBe(200);
    },
    180_000,
  );

  it('an MCP request with an unknown API key is refused before its hostile body is parsed', async () => {
    for (const request of buildHostileMcpRequests('/mcp', ids).slice(0, 20))
      expect(await sendHostileRequest({ origin, token: 'qk_unknown' }, request)).toMatchObject({ status: 401 });
  });
});
