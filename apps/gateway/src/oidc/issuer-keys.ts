import { limitBody, readLimitedText } from '@quarry/http-responses';
import { IsString, IsUrl, parse } from '@quarry/validation';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { loadOnce } from '../load-once.js';
import { ADDRESS, type OidcSettings } from './oidc-settings.js';

/** Maximum duration of a request to the issuer. */
const TIMEOUT_MS = 5_000;
/** Maximum size of the metadata and of the keys of an issuer. */
const MAX_BYTES = 1024 * 1024;

/** The fields of an issuer's metadata that are read. Source: OpenID Connect Discovery 1.0, section 3. */
class IssuerMetadata {
  @IsString()
  readonly issuer: string;

  @IsUrl(ADDRESS)
  readonly jwks_uri: string;
}

/**
 * Creates the lookup of an issuer's public keys. It loads them when they are first needed, after 10 minutes, and for an unknown key
 * at most every 30 seconds. Without the address of the keys, it reads the metadata of the issuer first.
 */
export function createIssuerKeys(settings: Pick<OidcSettings, 'issuer' | 'jwksUrl'>): JWTVerifyGetKey {
  const getKeys = loadOnce(async () => openKeys(settings));
  return async (header, token) => (await getKeys())(header, token);
}

async function openKeys({ issuer, jwksUrl }: Pick<OidcSettings, 'issuer' | 'jwksUrl'>): Promise<JWTVerifyGetKey> {
  const url = jwksUrl ?? (await discoverKeys(issuer));
  return createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, [customFetch]: fetchKeys });
}

const fetchKeys: FetchImplementation = async (url, options) => limitBody(await fetch(url, options), MAX_BYTES);

/** Reads the address of the public keys from the metadata of an issuer. @throws if they are unavailable or of another issuer */
async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok)
    throw new Error(`expected the metadata of the issuer at ${url}, found the status ${response.status}`);
  const body: unknown = JSON.parse(await readLimitedText(response.body, MAX_BYTES));
  const found = parse(IssuerMetadata, body, 'ignore');
  if (found.issuer !== issuer)
    throw new Error(`expected the metadata of ${issuer} at ${url}, found those of ${found.issuer}`);
  return found.jwks_uri;
}
