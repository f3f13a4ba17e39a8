import { Problem } from '@quarry/service-kit';
import type { Request, RequestHandler } from 'express';
import type { Gateway } from '../gateway.js';
import { authenticateAndCountRefusal } from '../keys/authenticate-key.js';
import { createOidcVerifier, isJwt, type OidcVerifier } from '../oidc/oidc-tokens.js';
import { problem } from '../problems.js';
import { buildPublicUrl } from './api-url.js';
import { createKeyAuthenticationHandler, setCaller } from './authenticate.js';
import { MCP_PATH, RESOURCE_METADATA_PREFIX } from './mcp-resource-metadata.js';

/**
 * Creates middleware that accepts API keys, and tokens of the configured issuer. The response to a refused request
 * contains the address of the metadata that describes how to authenticate.
 *
 * @throws Problem 401 without a valid key or token; 429 after too many such requests from the client's address; 503 if
 *   the keys of the issuer are unavailable
 */
export function createMcpAuthenticationHandler(gateway: Gateway): RequestHandler {
  const authenticateKey = createKeyAuthenticationHandler(gateway);
  const verifier = gateway.oidc === undefined ? undefined : createOidcVerifier(gateway, gateway.oidc);
  return async (request, response, next) => {
    try {
      const token = readBearerJwt(request);
      if (verifier === undefined || token === undefined) await authenticateKey(request, response, next);
      else {
        setCaller(response, await verifyToken(gateway, { verifier, request, token }), token);
        next();
      }
    } catch (error) {
      throw addAuthenticationChallenge(error, gateway, request);
    }
  };
}

interface PresentedToken {
  readonly verifier: OidcVerifier;
  readonly request: Request;
  readonly token: string;
}

async function verifyToken(gateway: Gateway, { verifier, request, token }: PresentedToken) {
  const { agent } = request.params;
  const agentId = typeof agent === 'string' ? agent : undefined;
  return authenticateAndCountRefusal(gateway, request.ip, async () => verifier.verify(token, agentId));
}

function readBearerJwt(request: Request): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  return token !== undefined && isJwt(token) ? token : undefined;
}

/** Adds the challenge of RFC 9728, section 5.1, to the problem of a refused request. */
function addAuthenticationChallenge(error: unknown, gateway: Gateway, request: Request): unknown {
  if (!(error instanceof Problem) || error.code !== 'unauthorized') return error;
  const { agent } = request.params;
  const path = `${RESOURCE_METADATA_PREFIX}${MCP_PATH}${typeof agent === 'string' ? `/${encodeURIComponent(agent)}` : ''}`;
  const invalid = request.get('authorization') === undefined ? '' : 'error="invalid_token", ';
  const challenge = `Bearer ${invalid}resource_metadata="${buildPublicUrl(gateway, request)}${path}"`;
  return problem('unauthorized', error.message, { cause: error, headers: { 'WWW-Authenticate': challenge } });
}
