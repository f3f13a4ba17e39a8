import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Scope } from '@quarry/contracts';
import { getRequestScope } from '@quarry/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { requireAgent } from '../agents/agent-repository.js';
import type { Gateway } from '../gateway.js';
import type { McpCall } from '../mcp/mcp-call.js';
import { buildPublicUrl } from './api-url.js';
import { requireAnyScope } from '../keys/authenticate-key.js';
import { getCaller, createRequestLimit } from './authenticate.js';
import type { Operation } from './declaration.js';
import { createDisconnectSignal } from './disconnect-signal.js';
import { createMcpAuthenticationHandler } from './mcp-authentication.js';
import { createMcpEndpoint, createMcpOriginCheck } from './mcp-endpoint.js';
import { buildResourceMetadata, MCP_PATH, RESOURCE_METADATA_PREFIX } from './mcp-resource-metadata.js';
import { setPrivateHeaders } from './private-responses.js';
import { translateErrors } from './translate-errors.js';

/**
 * Creates the endpoints for MCP clients: `/mcp` for everything that the key can access, and `/mcp/{agent}` for one
 * agent and its datastores. The endpoints accept API keys and tokens of the configured issuer, but no sessions of
 * browsers.
 *
 * @param operations the operations of the HTTP API, whose scopes also determine the available tools
 */
export function createMcpRoutes(gateway: Gateway, operations: readonly Operation[]): Router {
  const calls = new WeakMap<AuthInfo, McpCall>();
  const authInfos = new WeakMap<Response, AuthInfo>();
  const attachMcpCall: RequestHandler = async (request, response, next) => {
    const call = await createMcpCall({ gateway, operations }, request, response);
    const auth: AuthInfo = { token: '', clientId: call.caller.keyId, scopes: [...call.caller.scopes] };
    calls.set(auth, call);
    authInfos.set(response, auth);
    next();
  };
  const { publicUrl, limits, log } = gateway;
  const endpoint = createMcpEndpoint(
    {
      ...{ publicUrl, log, maxBytes: limits.upsertBytes },
      createServer: async ({ authInfo }) => {
        const call = authInfo === undefined ? undefined : calls.get(authInfo);
        if (call === undefined) throw new Error('expected the authenticated call of an MCP request, found none');
        const { createQuarryMcpServer } = await import('../mcp/create-mcp-server.js');
        return createQuarryMcpServer(call);
      },
    },
    (response) => authInfos.get(response),
  );
  const routes = Router();
  const metadata = createResourceMetadataHandler(gateway);
  const handlers = [
    ...[skipLongerPaths, setPrivateHeaders, createMcpOriginCheck(publicUrl)],
    ...[createMcpAuthenticationHandler(gateway), createRequestLimit(gateway), attachMcpCall, endpoint],
  ];
  // The longer path is mounted first, because the shorter path also matches requests to it.
  for (const path of [`${MCP_PATH}/:agent`, MCP_PATH]) {
    routes.use(`${RESOURCE_METADATA_PREFIX}${path}`, metadata);
    routes.use(path, ...handlers);
  }
  routes.use(MCP_PATH, translateErrors);
  return routes;
}

/** Makes this router skip requests to paths below an endpoint, because such paths are not endpoints. */
const skipLongerPaths: RequestHandler = (request, _response, next) => {
  next(request.path === '/' ? undefined : 'router');
};

interface CallParts {
  readonly gateway: Gateway;
  readonly operations: readonly Operation[];
}

/**
 * Creates the call that the tools of an MCP request receive.
 *
 * @throws Problem 403, 404 if the caller cannot read the agent in the path
 */
async function createMcpCall(
  { gateway, operations }: CallParts,
  request: Request,
  response: Response,
): Promise<McpCall> {
  const signal = createDisconnectSignal(response);
  const caller = getCaller(response);
  const { agent: id } = request.params;
  if (typeof id === 'string') requireAnyScope(caller, getOperationScopes(operations, 'getAgent'));
  const agent = typeof id === 'string' ? await requireAgent(gateway.db, caller, id) : undefined;
  const canUseOperation = (operation: string): boolean =>
    getOperationScopes(operations, operation).some((scope) => caller.scopes.includes(scope));
  const apiUrl = `${buildPublicUrl(gateway, request)}/api`;
  return { gateway, caller, canUseOperation, agent, apiUrl, signal, log: getRequestScope(response).log };
}

function getOperationScopes(operations: readonly Operation[], id: string): readonly Scope[] {
  const operation = operations.find((known) => known.id === id);
  if (operation === undefined) throw new Error(`expected the id of an operation of the API, found ${id}`);
  return operation.scopes;
}

/**
 * Creates the handler of the metadata of a protected resource (RFC 9728), in which clients find the authorization
 * servers.
 */
function createResourceMetadataHandler(gateway: Gateway): RequestHandler {
  return (request, response, next) => {
    if (request.path !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
      return;
    }
    const { agent } = request.params;
    const url = `${buildPublicUrl(gateway, request)}${MCP_PATH}${typeof agent === 'string' ? `/${agent}` : ''}`;
    response.set('Access-Control-Allow-Origin', '*').json(buildResourceMetadata(gateway, url));
  };
}
