import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { createRequestStateCodec, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { type HttpServer, startHttpServer } from '@quarry/service-kit';
import express, { type RequestHandler } from 'express';
import { createMcpEndpoint, createMcpOriginCheck } from '../../http/mcp-endpoint.js';
import { registerElicitations } from './register-elicitations.js';
import { registerInputTools } from './register-input-tools.js';
import { registerPrompts } from './register-prompts.js';
import { registerResources } from './register-resources.js';
import { registerTools } from './register-tools.js';

const MEBIBYTE = 1_048_576;

/**
 * Starts a server with the tools, resources and prompts that the MCP conformance suite expects. `/mcp` uses the code of
 * the gateway's MCP endpoint. `/with-sessions` offers the same features in sessions, for the scenarios of the MCP
 * revision 2025-11-25 in which the server sends requests to its client.
 */
export async function startMcpFixture(): Promise<HttpServer> {
  const app = express();
  const log = { warn: () => undefined };
  app.use('/mcp', createMcpEndpoint({ createServer, publicUrl: undefined, maxBytes: MEBIBYTE, log }));
  app.use('/with-sessions', createMcpOriginCheck(undefined), express.json(), createSessions());
  return startHttpServer(app, { host: '127.0.0.1', port: 0 });
}

const states = createRequestStateCodec<string>({ key: randomUUID() });
const CACHE = { ttlMs: 1_000, cacheScope: 'public' } as const;

const createServer: McpServerFactory = ({ era }) => {
  const isLegacy = era === 'legacy';
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, ...(isLegacy && { subscribe: true }) },
        completions: {},
        logging: {},
      },
      cacheHints: {
        'tools/list': CACHE,
        'prompts/list': CACHE,
        'resources/list': CACHE,
        'resources/templates/list': CACHE,
      },
      requestState: { verify: async (state, context) => states.verify(state, context) },
    },
  );
  registerTools(server);
  registerInputTools(server, states);
  registerElicitations(server);
  registerResources(server);
  registerPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris'], total: 1 } }));
  if (isLegacy) {
    server.server.setRequestHandler('resources/subscribe', () => ({}));
    server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  }
  return server;
};

/** Creates the handler of an MCP endpoint that creates one server per session. */
function createSessions(): RequestHandler {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>();
  return async (request, response) => {
    const known = transports.get(request.get('mcp-session-id') ?? '');
    if (known !== undefined) {
      await known.handleRequest(request, response, request.body);
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
      },
    });
    const server = await createServer({ era: 'legacy' });
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  };
}
