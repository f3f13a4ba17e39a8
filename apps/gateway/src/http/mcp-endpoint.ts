import type { toNodeHandler } from '@modelcontextprotocol/node';
import type { AuthInfo, McpServerFactory } from '@modelcontextprotocol/server';
import type { Log } from '@quarry/service-kit';
import { type RequestHandler, Router } from 'express';
import { loadOnce } from '../load-once.js';
import { createStorableJsonParser } from './create-body-parser.js';
import { correctInvalidParamsErrors } from './correct-invalid-params-errors.js';
import { RPC_CODES, sendRpcBodyErrors, sendRpcError } from './rpc-errors.js';

/** The host names of the local machine, whose web pages, such as those of local tools, may send requests. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
/** The HTTP methods that the MCP transport uses in the supported revisions, and in addition `HEAD` and `OPTIONS`. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'];

/** The parts of an MCP endpoint that do not depend on its tools. */
export interface McpEndpointParts {
  /** Creates the MCP server that handles one request. */
  readonly createServer: McpServerFactory;
  /** The public address of the service, whose web pages may send requests. Undefined: only local web pages may. */
  readonly publicUrl: string | undefined;
  /** Maximum size of a request, in bytes. */
  readonly maxBytes: number;
  readonly log: Pick<Log, 'warn'>;
}

type NodeHandler = ReturnType<typeof toNodeHandler>;

/**
 * Creates middleware that refuses requests of web pages of other origins, as the transport requires against DNS
 * rebinding. Programs send no `Origin`. Source:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export function createMcpOriginCheck(publicUrl: string | undefined): RequestHandler {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const loadValidation = loadOnce(async (): Promise<RequestHandler> => {
    const { originValidation } = await import('@modelcontextprotocol/express');
    return originValidation([...LOOPBACK_NAMES, ...own]);
  });
  return async (...handled) => {
    const validate = await loadValidation();
    await validate(...handled);
  };
}

/**
 * Creates the handler of an MCP endpoint (Streamable HTTP) for the revisions 2026-07-28 and 2025-11-25, without
 * sessions: every request creates an MCP server, so that any replica can handle the request. The first request loads
 * the SDK, which services without MCP clients do not need.
 *
 * @param getAuthInfo returns what `createServer` receives as `authInfo`
 */
export function createMcpEndpoint(
  { createServer, publicUrl, maxBytes, log }: McpEndpointParts,
  getAuthInfo: (response: Parameters<RequestHandler>[1]) => AuthInfo | undefined = () => undefined,
): Router {
  const onerror = (error: Error): void => {
    log.warn({ err: error }, 'a request of an MCP client failed');
  };
  const loadHandler = loadOnce(async (): Promise<NodeHandler> => {
    const [node, server] = await Promise.all([
      import('@modelcontextprotocol/node'),
      import('@modelcontextprotocol/server'),
    ]);
    const createServerWithClearErrors: McpServerFactory = async (context) => {
      const created = await createServer(context);
      return created instanceof server.McpServer ? correctInvalidParamsErrors(created) : created;
    };
    return node.toNodeHandler(server.createMcpHandler(createServerWithClearErrors, { onerror }), { onerror });
  });
  const endpoint = Router();
  endpoint.use(createMcpOriginCheck(publicUrl));
  endpoint.use(refuseUnusableRequests);
  endpoint.use(createStorableJsonParser(maxBytes), sendRpcBodyErrors);
  endpoint.use(refuseBatches, refuseSubscriptions);
  endpoint.use(async (request, response) => {
    const auth = getAuthInfo(response);
    if (auth !== undefined) Object.assign(request, { auth });
    const handle = await loadHandler();
    await handle(request, response, request.body);
  });
  return endpoint;
}

/**
 * Refuses requests that the library cannot represent: requests with a method that is not in `METHODS`, and requests
 * whose header `Host` is not a host.
 */
const refuseUnusableRequests: RequestHandler = (request, response, next) => {
  const { method } = request;
  const host = request.get('host') ?? '';
  if (!METHODS.includes(method)) {
    const message = `The method must be one of ${METHODS.join(', ')}, found ${method}.`;
    response.set('Allow', METHODS.join(', '));
    sendRpcError(response, { status: 405, code: RPC_CODES.invalidRequest, message });
  } else if (!isValidHostHeader(host)) {
    const message = `The header Host must be a host and an optional port, found ${JSON.stringify(host)}.`;
    sendRpcError(response, { status: 400, code: RPC_CODES.invalidRequest, message });
  } else next();
};

function isValidHostHeader(host: string): boolean {
  return /^[^/\\?#@]+$/.test(host) && URL.canParse(`http://${host}`);
}

/**
 * Refuses JSON-RPC batches, which only earlier revisions than the supported ones have. The rate limit counts HTTP
 * requests, so a batch could exceed it.
 */
const refuseBatches: RequestHandler = (request, response, next) => {
  if (!Array.isArray(request.body)) {
    next();
    return;
  }
  const message = 'The body must be one JSON-RPC message, found a batch. Send each message as a request of its own.';
  sendRpcError(response, { status: 400, code: RPC_CODES.invalidRequest, message });
};

/**
 * Refuses subscriptions to changes of lists as an unknown method, because the tools of a server never change. The
 * library would keep a stream open for each subscription, although the server declares no capability for subscriptions.
 */
const refuseSubscriptions: RequestHandler = (request, response, next) => {
  const { id, method } = (request.body ?? {}) as { readonly id?: unknown; readonly method?: unknown }; // any JSON
  if (method !== 'subscriptions/listen') {
    next();
    return;
  }
  sendRpcError(response, { status: 404, code: RPC_CODES.methodNotFound, message: 'Method not found', id });
};
