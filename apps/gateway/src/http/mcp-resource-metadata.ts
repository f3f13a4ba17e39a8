import type { Gateway } from '../gateway.js';
import { MCP_SCOPES } from '../oidc/oidc-tokens.js';

/**
 * The path of the MCP endpoint of an organization. The path of an agent's endpoint has the agent's id as a further
 * segment.
 */
export const MCP_PATH = '/mcp';
/**
 * The prefix that turns the path of an endpoint into the path of the metadata of the endpoint (RFC 9728, section 3.1).
 */
export const RESOURCE_METADATA_PREFIX = '/.well-known/oauth-protected-resource';

/** Builds the metadata of a protected resource (RFC 9728, section 2). @param resource the address of the endpoint */
export function buildResourceMetadata({ oidc }: Pick<Gateway, 'oidc'>, resource: string): object {
  return {
    resource,
    resource_name: 'Quarry',
    ...(oidc === undefined ? {} : { authorization_servers: [oidc.issuer] }),
    scopes_supported: MCP_SCOPES,
    bearer_methods_supported: ['header'],
  };
}
