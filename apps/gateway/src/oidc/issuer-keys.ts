import { limitBodySize, readLimitedText } from '@quarry/http-responses';
import { IsString, IsUrl, parse } from '@quarry/validation';
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { loadOnce } from '../load-once.js';
import { ADDRESS, type OidcSettings } from './oidc-settings.js';

/** Maximum duration of a request to the issuer, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Maximum size in bytes of a response of the issuer: its metadata, or its public keys. */
const MAX_BYTES = 1024 * 1024;

/** The fields of an issuer's metadata that Quarry reads. Source: OpenID Connect Discovery 1.0, section 3. */
class IssuerMetadata {
  @IsString()
  readonly issuer: string;

  @IsUrl(ADDRESS)
  readonly jwks_uri: string;
}

/**
 * Creates a function that looks up the public keys of an issuer. The function loads the keys at the first lookup. It
 * loads them again after 10 minutes, and at most every 30 seconds if it finds no key for a token. If the settings
 * contain no address of the keys, the function reads the address from the metadata of the issuer.
 */
export function createIssuerKeyLookup(settings: Pick<OidcSettings, 'issuer' | 'jwksUrl'>): JWTVerifyGetKey {
  const getKeys = loadOnce(async () => createRemoteKeyLookup(settings));
  return async (header, token) => (await getKeys())(header, token);
}

async function createRemoteKeyLookup({
  issuer,
  jwksUrl,
}: Pick<OidcSettings, 'issuer' | 'jwksUrl'>): Promise<JWTVerifyGetKey> {
  const url = jwksUrl ?? (await discoverKeysUrl(issuer));
  return createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, [customFetch]: fetchKeys });
}

const fetchKeys: FetchImplementation = async (url, options) => limitBodySize(await fetch(url, options), MAX_BYTES);

/**
 * Reads the address of the public keys from the metadata of an issuer.
 *
 * @throws Error if the metadata are unavailable, or if they are those of another issuer
 */
async function discoverKeysUrl(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok)
    throw new Error(`expected the metadata of the issuer at ${url}, found the status ${response.status}`);
  const body: unknown = JSON.parse(await readLimitedText(response.body, MAX_BYTES));
  const found = parse(IssuerMetadata, body, 'ignore');
  if (found.issuer !== issuer)
    throw new Error(
      `expected the metadata of the issuer ${issuer} at ${url}, found metadata of the issuer ${found.issuer}`,
    );
  return found.jwks_uri;
}
