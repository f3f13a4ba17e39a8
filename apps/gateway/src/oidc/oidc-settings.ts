import { ConfigurationError, parseEnvironment } from '@quarry/service-kit';
import { IsNotEmpty, IsOptional, IsString, IsUrl } from '@quarry/validation';

/** An external OpenID Connect issuer whose access tokens the MCP endpoints accept. */
export interface OidcSettings {
  /** The value of the claim `iss` in the tokens of the issuer. */
  readonly issuer: string;
  /** The value of the claim `aud` in tokens for this service: the public address of `/mcp`. */
  readonly audience: string;
  /** The address of the public keys of the issuer. Undefined: the metadata of the issuer contain it. */
  readonly jwksUrl: string | undefined;
  /** The name of the claim that contains the id of the organization. */
  readonly organizationClaim: string;
}

/**
 * Options of the decorator `IsUrl` for an address of the issuer. The host name in such an address needs no top-level
 * domain.
 */
export const ADDRESS = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };

/**
 * Environment variables of an external issuer. `QUARRY_OIDC_ISSUER` and `QUARRY_OIDC_AUDIENCE` must be set together.
 */
class Environment {
  @IsOptional()
  @IsUrl(ADDRESS)
  readonly QUARRY_OIDC_ISSUER?: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_OIDC_AUDIENCE?: string;

  @IsOptional()
  @IsUrl(ADDRESS)
  readonly QUARRY_OIDC_JWKS_URL?: string;

  @IsString()
  @IsNotEmpty()
  readonly QUARRY_OIDC_ORGANIZATION_CLAIM: string = 'quarry_organization';
}

/**
 * Reads the settings of an external issuer. Returns undefined if none of the variables is set.
 *
 * @throws ConfigurationError if some of the variables are set, but not all that are required
 */
export function readOidcSettings(environment: NodeJS.ProcessEnv): OidcSettings | undefined {
  const variables = parseEnvironment(Environment, environment);
  const { QUARRY_OIDC_ISSUER: issuer, QUARRY_OIDC_AUDIENCE: audience, QUARRY_OIDC_JWKS_URL: jwksUrl } = variables;
  if (issuer === undefined && audience === undefined && jwksUrl === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    const missing = issuer === undefined ? 'QUARRY_OIDC_ISSUER' : 'QUARRY_OIDC_AUDIENCE';
    throw new ConfigurationError([
      `QUARRY_OIDC_ISSUER and QUARRY_OIDC_AUDIENCE must both be set to accept tokens of an external issuer, found no ${missing}`,
    ]);
  }
  return { issuer, audience, jwksUrl, organizationClaim: variables.QUARRY_OIDC_ORGANIZATION_CLAIM };
}
