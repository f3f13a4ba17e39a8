import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIssuerKey, signToken, startIssuer, TEST_AUDIENCE, type TestIssuer } from '../testing/start-issuer.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { createOidcVerifier, isJwt, type OidcVerifier } from './oidc-tokens.js';
import { readOidcSettings } from './oidc-settings.js';

const used = setUpTenant();
let issuer: TestIssuer;
let verifier: OidcVerifier;

const createVerifier = (jwksUrl?: string): OidcVerifier =>
  createOidcVerifier(used.test.gateway, {
    ...{ issuer: issuer.url, audience: TEST_AUDIENCE, jwksUrl, organizationClaim: 'org' },
  });

beforeEach(async () => {
  issuer = await startIssuer();
  issuer.keys = [await createIssuerKey('RS256', 'first')];
  verifier = createVerifier();
});
afterEach(() => {
  vi.useRealTimers();
  issuer.close();
});

/** Signs a token with a key of the issuer. */
async function createToken(key = issuer.keys[0]): Promise<string> {
  if (key === undefined) throw new Error('expected a key of the issuer, found none');
  return signToken(issuer.url, key, used.tenant.organizationId);
}

const countRequests = (path: string): number => issuer.requests.filter((url) => url.endsWith(path)).length;
const UNAVAILABLE = { code: 'dependency_unavailable' };
const UNAUTHORIZED = { code: 'unauthorized' };

describe('the keys of an issuer', () => {
  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])(
    'a token that is signed with the algorithm %s is accepted',
    async (alg) => {
      issuer.keys = [...issuer.keys, await createIssuerKey(alg, 'other')];
      const caller = await verifier.verify(await createToken(issuer.keys.at(-1)), undefined);
      expect(caller).toMatchObject({ organizationId: used.tenant.organizationId, scopes: ['query'] });
    },
  );

  it('simultaneous verifications of tokens together load the metadata and the keys of the issuer only once', async () => {
    const token = await createToken();
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token, undefined)));
    expect([countRequests('/.well-known/openid-configuration'), countRequests('/keys')]).toEqual([1, 1]);
  });

  it('a token is refused with `dependency_unavailable` if the metadata of its issuer are longer than 1 MiB', async () => {
    const metadata = JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    issuer.instead = (response) => response.end(metadata + ' '.repeat(2 * 1024 * 1024));
    await expect(verifier.verify(await createToken(), undefined)).rejects.toMatchObject(UNAVAILABLE);
    expect(countRequests('/keys')).toBe(0);
  });

  it('a token is refused with `dependency_unavailable` if the key set of its issuer is longer than 1 MiB', async () => {
    const keys = JSON.stringify({ keys: issuer.keys.map(({ published }) => published) });
    issuer.instead = (response) =>
      response.setHeader('Content-Type', 'application/json').end(keys + ' '.repeat(2 * 1024 * 1024));
    await expect(createVerifier(`${issuer.url}/keys`).verify(await createToken(), undefined)).rejects.toMatchObject(
      UNAVAILABLE,
    );
  });

  it('if the address of the keys of the issuer is configured, the gateway does not load the metadata of the issuer', async () => {
    await createVerifier(`${issuer.url}/keys`).verify(await createToken(), undefined);
    expect(issuer.requests).toEqual(['/realms/quarry/keys']);
  });

  it('after an issuer has replaced its key, the gateway loads the new key 30 seconds after it last loaded keys, and then refuses the old key', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [old] = issuer.keys;
    await verifier.verify(await createToken(old), undefined);
    const rotated = await createIssuerKey('ES256', 'second');
    issuer.keys = [rotated];
    await expect(verifier.verify(await createToken(rotated), undefined)).rejects.toMatchObject(UNAUTHORIZED);
    vi.setSystemTime(Date.now() + 31_000);
    await expect(verifier.verify(await createToken(rotated), undefined)).resolves.toBeDefined();
    await expect(verifier.verify(await createToken(old), undefined)).rejects.toMatchObject(UNAUTHORIZED);
    expect(countRequests('/keys')).toBe(2);
  });

  it('if an issuer withdraws a key, tokens that are signed with this key are refused after 10 minutes, even if no token with a new key arrives', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [old] = issuer.keys;
    await verifier.verify(await createToken(old), undefined);
    issuer.keys = [await createIssuerKey('RS256', 'second')];
    vi.setSystemTime(Date.now() + 601_000);
    await expect(verifier.verify(await createToken(old), undefined)).rejects.toMatchObject(UNAUTHORIZED);
  });

  it('ten tokens that are signed with an unknown key cause only one request to the issuer', async () => {
    const foreign = await createIssuerKey('RS256', 'foreign');
    const tokens = await Promise.all(Array.from({ length: 10 }, () => createToken(foreign)));
    for (const token of tokens) {
      await expect(verifier.verify(token, undefined)).rejects.toMatchObject(UNAUTHORIZED);
    }
    expect(countRequests('/keys')).toBe(1);
  });
});

describe('an issuer that does not answer as expected', () => {
  it('a token is refused with `dependency_unavailable` within seconds while its issuer does not respond, and is accepted when the issuer responds again', async () => {
    const withAddress = createVerifier(`${issuer.url}/keys`);
    issuer.instead = () => undefined;
    const token = await createToken();
    const failed = [verifier, withAddress].map(async (one) => one.verify(token, undefined));
    for (const outcome of await Promise.allSettled(failed)) expect(outcome).toMatchObject({ reason: UNAVAILABLE });
    issuer.instead = undefined;
    for (const one of [verifier, withAddress]) await expect(one.verify(token, undefined)).resolves.toBeDefined();
  }, 15_000);

  it.each(['an error', 'no JSON', 'no keys'])(
    'a token is refused with `dependency_unavailable`, and not as invalid, if its issuer returns %s',
    async (kind) => {
      issuer.instead = (response) => {
        response.writeHead(kind === 'an error' ? 500 : 200).end(kind === 'no JSON' ? '<html>' : '{}');
      };
      const token = await createToken();
      for (const one of [verifier, createVerifier(`${issuer.url}/keys`)]) {
        await expect(one.verify(token, undefined)).rejects.toMatchObject(UNAVAILABLE);
      }
    },
  );

  it('if the metadata of an issuer contain the name of another issuer, a token is refused with `dependency_unavailable` and no keys are loaded', async () => {
    issuer.name = 'https://evil.example';
    await expect(verifier.verify(await createToken(), undefined)).rejects.toMatchObject(UNAVAILABLE);
    expect(countRequests('/keys')).toBe(0);
  });
});

it('a root key with two dots is not taken for a signed token', async () => {
  expect(isJwt(await createToken())).toBe(true);
  for (const key of ['team.quarry.2026', 'qk_1.2.3', 'eyJ.eyJ.x', '..']) expect(isJwt(key)).toBe(false);
});

it('if an environment variable of an external issuer is set, the variables for the issuer and the audience are required, and the variable for the address of its keys is optional', () => {
  const set = { QUARRY_OIDC_ISSUER: 'https://login.example.com', QUARRY_OIDC_AUDIENCE: TEST_AUDIENCE };
  expect(readOidcSettings({})).toBeUndefined();
  expect(readOidcSettings(set)).toMatchObject({ issuer: set.QUARRY_OIDC_ISSUER, jwksUrl: undefined });
  expect(() => readOidcSettings({ QUARRY_OIDC_ISSUER: set.QUARRY_OIDC_ISSUER })).toThrow(
    'found no QUARRY_OIDC_AUDIENCE',
  );
  expect(() => readOidcSettings({ QUARRY_OIDC_JWKS_URL: 'https://a.example' })).toThrow('found no QUARRY_OIDC_ISSUER');
});
