import { McpServer } from '@modelcontextprotocol/server';
import { VERSION } from '@quarry/contracts';
import type { McpCall } from './mcp-call.js';
import { TOOLS } from './tools.js';

/**
 * Allows clients to cache the list of tools for a minute. The tools depend on the scopes of the API key, and these
 * scopes rarely change.
 */
const CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** Creates the MCP server of one request, with the tools that the scopes of the caller allow. */
export function createQuarryMcpServer(call: McpCall): McpServer {
  const { agent, canUseOperation } = call;
  const server = new McpServer(
    { name: 'quarry', version: VERSION, ...(agent === undefined ? {} : { title: agent.name }) },
    {
      capabilities: { tools: { listChanged: false } },
      cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE },
      instructions: 'Search and ask a knowledge base. Cite the url of each source that you use.',
    },
  );
  for (const tool of TOOLS) {
    if (tool.operations.some(canUseOperation)) tool.register(server, call);
  }
  return server;
}
