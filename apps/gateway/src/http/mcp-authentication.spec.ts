import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../testing/sign-in.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway, type Tenant } from '../testing/start-test-gateway.js';

const ISSUER = 'https://login.example.com';
const AUDIENCE = 'https://quarry.example.com/mcp';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = 'application/json, text/event-stream';
/** A secret that is long enough for a symmetric signature. */
const SHARED_SECRET = new TextEncoder().encode('a secret of tests that is long enough');

const keys = await generateKeyPair('RS256');
const foreignKeys = await generateKeyPair('RS256');
const jwks = createServer((_request, response) => {
  void exportJWK(keys.publicKey).then((jwk) => {
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ keys: [{ ...jwk, kid: 'a', alg: 'RS256' }] }));
  });
});

let test: TestGateway;
let tenant: Tenant;

beforeAll(async () => {
  jwks.listen(0, '127.0.0.1');
  await once(jwks, 'listening');
  const { port } = jwks.address() as AddressInfo; // listens on TCP
  const oidc = {
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: `http://127.0.0.1:${port}/keys`,
    organizationClaim: 'org',
  };
  const publicUrl = 'https://quarry.example.com';
  test = await startTestGateway({ settings: { ...TEST_SETTINGS, oidc, publicUrl, requestsPerMinute: 20 } });
  tenant = await test.createTenant();
}, 60_000);

afterAll(async () => {
  await test.close();
  jwks.close();
});

interface TokenParts {
  readonly claims?: Record<string, unknown>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string;
  readonly key?: typeof keys.privateKey;
}

async function createToken(parts: TokenParts = {}): Promise<string> {
  return new SignJWT({ org: tenant.organizationId, scope: 'query openid', ...parts.claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'a' })
    .setSubject('ada')
    .setIssuer(parts.issuer ?? ISSUER)
    .setAudience(parts.audience ?? AUDIENCE)
    .setExpirationTime(parts.expires ?? '5m')
    .sign(parts.key ?? keys.privateKey);
}

const postRequest = (token: string | undefined, path = '/mcp', headers: Record<string, string> = {}): request.Test =>
  request(test.url)
    .post(path)
    .set({ Accept: ACCEPT, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers })
    .send(LIST);

describe('a request without a valid credential', () => {
  it.each(['/mcp', '/mcp/00000000-0000-7000-8000-00000000dead'])(
    'the header `WWW-Authenticate` of the response to a request without a credential to %s contains the URL of the resource metadata',
    async (path) => {
      const { status, headers } = await postRequest(undefined, path);
      const url = `https://quarry.example.com/.well-known/oauth-protected-resource${path}`;
      expect([status, headers['www-authenticate']]).toEqual([401, `Bearer resource_metadata="${url}"`]);
      const metadata = await request(test.url).get(new URL(url).pathname);
      expect(metadata.body).toEqual({
        resource: `https://quarry.example.com${path}`,
        resource_name: 'Quarry',
        authorization_servers: [ISSUER],
        scopes_supported: ['query', 'ingest'],
        bearer_methods_supported: ['header'],
      });
    },
  );

  it('the response to a request with an invalid credential contains the error `invalid_token`', async () => {
    const { status, headers } = await postRequest('unknown-key');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('an MCP request with the cookie of a session is refused', async () => {
    const session = await signIn(test, tenant.key);
    expect((await session.get('/api/agents')).status).toBe(200);
    const refused = await session.post('/mcp').set({ Accept: ACCEPT, 'Sec-Fetch-Site': 'same-origin' }).send(LIST);
    expect(refused.status).toBe(401);
  });
});

describe('the origin of a request', () => {
  it.each([undefined, 'https://quarry.example.com', 'http://localhost:6274', 'http://127.0.0.1'])(
    'an MCP request from the origin %s is accepted',
    async (origin) => {
      expect((await postRequest(tenant.key, '/mcp', origin === undefined ? {} : { Origin: origin })).status).toBe(200);
    },
  );

  it.each(['https://evil.example', 'http://quarry.example.com.evil.example', 'null'])(
    'an MCP request from the origin %s is refused',
    async (origin) => {
      // A page that rebinds its host name to the address of the gateway sends that name as Host.
      const headers = { Origin: origin, Host: 'evil.example' };
      expect((await postRequest(tenant.key, '/mcp', headers)).status).toBe(403);
    },
  );
});

describe('a token of the issuer', () => {
  const listTools = async (token: string): Promise<readonly string[]> => {
    const { status, text } = await postRequest(token);
    expect([status, text]).toEqual([200, expect.anything()]);
    return [...text.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name);
  };

  it('a client with a token of the configured issuer can use exactly the MCP tools that the scopes of the token permit', async () => {
    expect(await listTools(await createToken())).toEqual(['search', 'ask', 'list_datastores']);
    const scp = await createToken({ claims: { scope: undefined, scp: ['ingest'] } });
    expect(await listTools(scp)).toEqual(['fetch', 'list_datastores', 'add_text', 'status']);
  });

  it('the HTTP API refuses a token of the configured issuer, because the HTTP API accepts only API keys', async () => {
    const response = await request(test.url)
      .get('/api/agents')
      .set('Authorization', `Bearer ${await createToken({ claims: { scope: 'manage' } })}`);
    expect(response.status).toBe(401);
  });

  it('a client whose token contains only the scopes `manage` and `operate` can use no MCP tools', async () => {
    expect(await listTools(await createToken({ claims: { scope: 'manage operate' } }))).toEqual([]);
  });

  it.each<readonly [string, () => Promise<string>]>([
    ['of another issuer', async () => createToken({ issuer: 'https://evil.example' })],
    ['for another audience', async () => createToken({ audience: 'https://quarry.example.com' })],
    ['for the endpoint of an agent', async () => createToken({ audience: `${AUDIENCE}/a` })],
    ['that has expired', async () => createToken({ expires: '-5m' })],
    ['of another key', async () => createToken({ key: foreignKeys.privateKey })],
    ['without an organization', async () => createToken({ claims: { org: undefined } })],
    [
      'of an unknown organization',
      async () => createToken({ claims: { org: '00000000-0000-7000-8000-00000000dead' } }),
    ],
    ['without a signature', async () => `${btoa('{"alg":"none"}')}.${(await createToken()).split('.')[1] ?? ''}.`],
    [
      'that is signed with a shared secret',
      async () =>
        new SignJWT({ org: tenant.organizationId, scope: 'query' })
          .setProtectedHeader({ alg: 'HS256', kid: 'a' })
          .setSubject('ada')
          .setIssuer(ISSUER)
          .setAudience(AUDIENCE)
          .setExpirationTime('5m')
          .sign(SHARED_SECRET),
    ],
  ])('the MCP endpoint refuses a token %s', async (_name, create) => {
    const { status, headers } = await postRequest(await create());
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('resource_metadata=');
  });
});

it('an MCP request above the request limit of its API key is refused with 429', async () => {
  const { key } = await tenant.addKey({});
  const statuses: number[] = [];
  for (let number = 0; number < 21; number += 1) statuses.push((await postRequest(key)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
