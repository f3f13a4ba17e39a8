import { decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { v5 as createNamedId } from 'uuid';
import type { Scope } from '@quarry/contracts';
import { Problem } from '@quarry/service-kit';
import type { Caller } from '../access/caller.js';
import { isId } from '../database/id.js';
import type { Gateway } from '../gateway.js';
import { findOrganization } from '../organizations/organization-repository.js';
import { problem } from '../problems.js';
import { createIssuerKeyLookup } from './issuer-keys.js';
import type { OidcSettings } from './oidc-settings.js';

/** The scopes that an access token of the issuer can grant. */
export const MCP_SCOPES = ['query', 'ingest'] as const satisfies readonly Scope[];

/**
 * The accepted signature algorithms, all of which use a public key. Thus, a token that is signed with a shared secret
 * is refused.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Accepted difference between the clock of the issuer and the clock of this service, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 30;
/**
 * Namespace of the caller ids that are derived from the subjects of tokens. The rate limit applies to each caller id.
 */
const SUBJECT_NAMESPACE = '6d5c1a5e-0f0b-4f8e-9d6f-3b9f0c2f7a10';

/** Verifies the access tokens of an issuer. */
export interface OidcVerifier {
  /**
   * Verifies a token, and returns the caller that the token identifies.
   *
   * @param agentId the agent of the endpoint; undefined for `/mcp`
   * @throws Problem 401 for an invalid token, 503 if the keys of the issuer are unavailable
   */
  verify(token: string, agentId: string | undefined): Promise<Caller>;
}

/**
 * Returns true for a text in the form of a signed token: three parts, the first of which is an encoded header (RFC 7515,
 * section 7.1). A root key that the operator has chosen may contain two dots, but no such header.
 */
export function isJwt(token: string): boolean {
  if (token.split('.').length !== 3) return false;
  try {
    decodeProtectedHeader(token);
    return true;
  } catch {
    return false;
  }
}

/** Creates a verifier of the tokens of one issuer. */
export function createOidcVerifier({ db }: Pick<Gateway, 'db'>, settings: OidcSettings): OidcVerifier {
  const keys = createIssuerKeyLookup(settings);
  return {
    verify: async (token, agentId) => {
      const audience = [settings.audience, ...(agentId === undefined ? [] : [`${settings.audience}/${agentId}`])];
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub'],
      }).catch((error: unknown) => {
        throw createTokenProblem(error);
      });
      return createTokenCaller(db, settings, payload);
    },
  };
}

/**
 * Creates the caller that the claims of a token identify.
 *
 * @throws Problem 401 if the claims do not contain the id of an existing organization
 */
async function createTokenCaller(
  db: Gateway['db'],
  { issuer, organizationClaim }: OidcSettings,
  payload: JWTPayload,
): Promise<Caller> {
  const claimed = payload[organizationClaim];
  if (typeof claimed !== 'string' || !isId(claimed)) {
    throw problem(
      'unauthorized',
      `The claim ${organizationClaim} of the token must be a UUID, the id of an organization.`,
    );
  }
  const organizationId = claimed.toLowerCase();
  await findOrganization(db, organizationId).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    throw problem(
      'unauthorized',
      `The claim ${organizationClaim} of the token must be the id of an existing organization.`,
    );
  });
  const keyId = createNamedId(`${issuer} ${payload.sub ?? ''}`, SUBJECT_NAMESPACE);
  return { organizationId, keyId, scopes: readScopes(payload), limits: undefined };
}

/**
 * Reads the granted scopes from the claim `scope` (RFC 8693, section 4.2), or from `scp`, a list that some issuers use.
 */
function readScopes({ scope, scp }: JWTPayload): readonly Scope[] {
  const granted: unknown = scope ?? scp;
  const names: readonly unknown[] =
    typeof granted === 'string' ? granted.split(' ') : Array.isArray(granted) ? granted : [];
  return MCP_SCOPES.filter((known) => names.includes(known));
}

/** Translates an error of the verification of a token to a problem. */
function createTokenProblem(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // The library jose uses these error codes for an invalid token. Other errors mean that the keys could not be loaded.
  const isInvalid = /^ERR_(?:JWT|JWS|JOSE|JWKS_NO_MATCHING|JWKS_MULTIPLE)/.test(code) && code !== 'ERR_JOSE_GENERIC';
  return isInvalid
    ? problem('unauthorized', `The token is not valid: ${error instanceof Error ? error.message : code}.`)
    : problem('dependency_unavailable', 'The keys of the issuer cannot be loaded. Retry later.', { cause: error });
}
