import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { apiKeys } from '../database/tables/api-keys.js';
import { sessions, signInCodes } from '../database/tables/sessions.js';
import { generateApiKey, revokeKey } from '../keys/key-repository.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { runWatchdog } from '../watchdog/watchdog.js';
import { readSetCookie, signIn, createApiWithCookie } from '../testing/sign-in.js';
import {
  startTestGateway,
  TEST_SETTINGS,
  type Api,
  type Tenant,
  type TestGateway,
} from '../testing/start-test-gateway.js';

const HOUR_MS = 3_600_000;
const START = new Date('2026-06-01T12:00:00Z');

let now = START;
let test: TestGateway;
let tenant: Tenant;

beforeAll(async () => {
  test = await startTestGateway({ clock: () => now });
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  now = START;
  tenant = await test.createTenant();
});

const advanceClock = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};
const startSession = async (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  test.createApi().post('/api/session').set(headers).send(body);
const createCode = async (api: Api = tenant.api): Promise<string> =>
  getStringField(await api.post('/api/session/codes'), 'code');
const readSession = async (api: Api): Promise<{ status: number; text: string }> => api.get('/api/session');

describe('a sign-in', () => {
  it('a sign-in with an API key sets a session cookie that scripts cannot read and other sites cannot send', async () => {
    const response = await startSession({ apiKey: ` ${tenant.key}\n` });
    expect(response.status).toBe(200);
    const [cookie = ''] = response.headers['set-cookie'] as unknown as string[]; // superagent declares a string
    expect(cookie).toMatch(/^quarry_session=[\w-]{43}; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(response.body).toMatchObject({
      organization: { id: tenant.organizationId },
      key: { prefix: tenant.key.slice(0, 10), scopes: ['query', 'ingest', 'manage', 'operate'] },
      session: { expiresAt: '2026-06-02T00:00:00.000Z', idleExpiresAt: '2026-06-01T14:00:00.000Z' },
    });
    const described = await createApiWithCookie(test, readSetCookie(response.headers)).get('/api/session');
    const { session, organization } = response.body as Record<string, object>;
    expect(described.body).toMatchObject({ session, organization });
  });

  it('a sign-in from a page that was loaded over HTTPS sets a cookie that browsers never send over plain HTTP', async () => {
    const host = new URL(test.url).host;
    const response = await startSession({ apiKey: tenant.key }, { Origin: `https://${host}` });
    expect(String(response.headers['set-cookie'])).toMatch(/^__Secure-quarry_session=.*; Secure$/);
    expect((await readSession(createApiWithCookie(test, readSetCookie(response.headers)))).status).toBe(200);
  });

  it('the database contains neither the token of a session nor a one-time code', async () => {
    const code = await createCode();
    const [, token = ''] = readSetCookie((await startSession({ code })).headers).split('=');
    const stored = JSON.stringify([
      await test.gateway.db.select().from(sessions),
      await test.gateway.db.select().from(signInCodes),
    ]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(code);
  });

  it('a new sign-in of a browser ends its previous session', async () => {
    const cookie = readSetCookie((await startSession({ apiKey: tenant.key })).headers);
    expect((await startSession({ apiKey: tenant.key }, { Cookie: cookie })).status).toBe(200);
    expect((await readSession(createApiWithCookie(test, cookie))).status).toBe(401);
  });

  it.each([
    [{}],
    [{ apiKey: null }],
    [{ apiKey: 'a', code: 'b' }],
    [{ apiKey: '' }],
    [{ apiKey: 1 }],
    [{ token: 'a' }],
  ])('a sign-in with %j is refused with 400', async (body) => {
    expect((await startSession(body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('a sign-in with an unknown, revoked or expired key is refused with 401 and sets no cookie', async () => {
    const revoked = await tenant.addKey({});
    await revokeKey(test.gateway.db, tenant.organizationId, revoked.id, now);
    const expired = await tenant.addKey({ expiresAt: now });
    for (const apiKey of [generateApiKey(), revoked.key, expired.key]) {
      const response = await startSession({ apiKey });
      expect(response.body).toMatchObject({ status: 401, code: 'unauthorized' });
      expect(response.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('a body that is not JSON is refused with 415, so that a form of another site cannot sign in', async () => {
    const response = await test.createApi().post('/api/session').type('form').send({ apiKey: tenant.key });
    expect(response.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ])('a sign-in from a page of another origin (%j) is refused with 403', async (headers) => {
    const response = await startSession({ apiKey: tenant.key }, headers);
    expect(response.body).toMatchObject({ status: 403, code: 'cross_origin_request' });
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  it('refused sign-ins and other requests without a valid credential count toward the same limit', async () => {
    const limited = await startTestGateway({ settings: { ...TEST_SETTINGS, refusalsPerMinute: 3 } });
    onTestFinished(() => limited.close());
    const sendRequest = async (body: object): Promise<number> =>
      (await limited.createApi().post('/api/session').send(body)).status;
    expect([await sendRequest({ apiKey: 'wrong' }), await sendRequest({ code: 'wrong' })]).toEqual([401, 401]);
    expect((await createApiWithCookie(limited, `quarry_session=${'a'.repeat(43)}`).get('/api/me')).status).toBe(401);
    expect([await sendRequest({ apiKey: 'wrong' }), await sendRequest({ code: 'wrong' })]).toEqual([429, 429]);
    expect((await limited.createApi('wrong').get('/api/me')).status).toBe(429);
    expect(await sendRequest({ apiKey: (await limited.createTenant()).key })).toBe(200);
  });

  it('sign-ins count toward the request limit of the key', async () => {
    const limited = await startTestGateway({ settings: { ...TEST_SETTINGS, requestsPerMinute: 2 } });
    onTestFinished(() => limited.close());
    const { key } = await limited.createTenant();
    const sendRequest = async (): Promise<number> =>
      (await limited.createApi().post('/api/session').send({ apiKey: key })).status;
    expect([await sendRequest(), await sendRequest(), await sendRequest()]).toEqual([200, 200, 429]);
  });
});

describe('a one-time code', () => {
  it('a one-time code signs in once with the permissions of the key that created it', async () => {
    const { key } = await tenant.addKey({ scopes: ['manage'] });
    const created = await test.createApi(key).post('/api/session/codes');
    const { code, path, expiresAt } = created.body as Record<string, string>;
    expect([path, expiresAt]).toEqual([`/signin#code=${code}`, '2026-06-01T12:10:00.000Z']);
    expect((await startSession({ code })).body).toMatchObject({
      key: { scopes: ['manage'], prefix: key.slice(0, 10) },
    });
    const again = await startSession({ code });
    expect(again.body).toMatchObject({ status: 410, code: 'sign_in_code_used' });
  });

  it('exactly one of many concurrent sign-ins with the same one-time code succeeds', async () => {
    const code = await createCode();
    const responses = await Promise.all(Array.from({ length: 8 }, async () => startSession({ code })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 410)]);
  });

  it('a one-time code expires after ten minutes', async () => {
    const code = await createCode();
    advanceClock(600_000);
    expect((await startSession({ code })).body).toMatchObject({ status: 410, code: 'sign_in_code_expired' });
  });

  it('an unknown one-time code and a one-time code of a revoked key are refused with 401', async () => {
    const { id, key } = await tenant.addKey({});
    const code = await createCode(test.createApi(key));
    await revokeKey(test.gateway.db, tenant.organizationId, id, now);
    for (const refused of [code, 'unknown']) {
      expect((await startSession({ code: refused })).body).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  it('only keys with the scope `manage` can create one-time codes', async () => {
    const { key } = await tenant.addKey({ scopes: ['query', 'ingest'] });
    expect((await test.createApi(key).post('/api/session/codes')).body).toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('a session', () => {
  it('a session ends when its API key is revoked', async () => {
    const { id, key } = await tenant.addKey({});
    const api = await signIn(test, key);
    expect((await readSession(api)).status).toBe(200);
    await revokeKey(test.gateway.db, tenant.organizationId, id, now);
    const refused = await readSession(api);
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('revoked')]);
  });

  it('a session ends when its API key expires', async () => {
    const { key } = await tenant.addKey({ expiresAt: new Date(START.getTime() + HOUR_MS) });
    const api = await signIn(test, key);
    expect((await api.get('/api/session')).body).toMatchObject({ session: { expiresAt: '2026-06-01T13:00:00.000Z' } });
    advanceClock(HOUR_MS);
    expect((await readSession(api)).status).toBe(401);
  });

  it('a session ends after two hours without a request, and after twelve hours in any case', async () => {
    const [idle, busy] = [await signIn(test, tenant.key), await signIn(test, tenant.key)];
    for (let hours = 1; hours < 12; hours += 1) {
      advanceClock(HOUR_MS);
      expect((await readSession(busy)).status).toBe(200);
      await expect
        .poll(async () => test.gateway.db.select().from(sessions))
        .toContainEqual(expect.objectContaining({ lastUsedAt: now }));
      if (hours === 2) expect((await readSession(idle)).status).toBe(401);
    }
    advanceClock(HOUR_MS);
    const refused = await readSession(busy);
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('expired')]);
  });

  it('a sign-out ends the session and removes the cookie, and can be repeated', async () => {
    const cookie = readSetCookie((await startSession({ apiKey: tenant.key })).headers);
    for (let time = 0; time < 2; time += 1) {
      const response = await createApiWithCookie(test, cookie).delete('/api/session');
      expect([response.status, String(response.headers['set-cookie'])]).toEqual([
        204,
        'quarry_session=; Max-Age=0; HttpOnly; SameSite=Strict',
      ]);
    }
    expect((await readSession(createApiWithCookie(test, cookie))).status).toBe(401);
  });

  it('a page of another origin cannot sign a browser out', async () => {
    const api = await signIn(test, tenant.key);
    expect((await api.delete('/api/session').set('Sec-Fetch-Site', 'cross-site')).status).toBe(403);
    expect((await readSession(api)).status).toBe(200);
  });

  it('a request with an API key and a session cookie has only the permissions of the API key', async () => {
    const { key } = await tenant.addKey({ scopes: ['query'] });
    const both = (await signIn(test, tenant.key)).set('Authorization', `Bearer ${key}`);
    expect((await both.get('/api/session')).body).toMatchObject({ key: { scopes: ['query'] }, session: null });
    expect((await both.get('/api/api-keys')).status).toBe(403);
    expect((await both.set('Authorization', 'Bearer wrong').get('/api/me')).status).toBe(401);
  });

  it('requests with a session cookie can upload files and stream answers', async () => {
    const api = await signIn(test, tenant.key);
    const datastore = await createDatastore(api);
    expect(await uploadText(api, datastore)).not.toBe('');
    const agent = await createAgent(api, { datastoreIds: [datastore] });
    const streamed = await api.post(`/api/agents/${agent}/query`).send({ query: 'What?', streaming: true });
    expect([streamed.status, streamed.type]).toEqual([200, 'text/event-stream']);
    expect(streamed.text).toContain('[DONE]');
  });

  it('a repeated request with the same Idempotency-Key gets the stored response in the same session, but not in another session or with the API key', async () => {
    const [one, other] = [await signIn(test, tenant.key), await signIn(test, tenant.key)];
    const createApiKey = async (api: Api): Promise<string> =>
      getStringField(
        await api
          .post('/api/api-keys')
          .set('Idempotency-Key', 'k1')
          .send({ name: 'a', scopes: ['query'] }),
        'key',
      );
    const first = await createApiKey(one);
    expect(await createApiKey(one)).toBe(first);
    expect(await createApiKey(other)).not.toBe(first);
    expect(await createApiKey(tenant.api)).not.toBe(first);
  });

  it('a request with a malformed session cookie is refused with 401', async () => {
    for (const cookie of [
      'quarry_session=',
      'quarry_session=short',
      'other=x; quarry_session',
      `xquarry_session=${'a'.repeat(43)}`,
    ]) {
      expect((await createApiWithCookie(test, cookie).get('/api/me')).status).toBe(401);
    }
  });

  it('the watchdog deletes sessions when they have expired, and deletes one-time codes a day after they have expired', async () => {
    await signIn(test, tenant.key);
    await createCode();
    advanceClock(12 * HOUR_MS);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(sessions)).toBe(0);
    expect(await test.gateway.db.$count(signInCodes)).toBeGreaterThan(0);
    advanceClock(13 * HOUR_MS);
    await runWatchdog(test.gateway);
    expect(await test.gateway.db.$count(signInCodes)).toBe(0);
    expect(await test.gateway.db.$count(apiKeys)).toBeGreaterThan(0);
  });
});

describe('a request with the cookie of a session from a page of another origin', () => {
  const sendRequest = async (method: 'get' | 'post', headers: Record<string, string>): Promise<Response> => {
    const cookie = readSetCookie((await startSession({ apiKey: tenant.key })).headers);
    const request = test.createApi()[method]('/api/datastores').set('Cookie', cookie).set(headers);
    return method === 'get' ? request : request.send({ name: 'made' });
  };

  it.each([
    {},
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'not an address' },
  ])('the API refuses a POST request of a session whose headers do not prove the same origin: %j', async (headers) => {
    expect((await sendRequest('post', headers)).body).toMatchObject({ status: 403, code: 'cross_origin_request' });
  });

  it('the API accepts a POST request of a session whose headers prove the same origin', async () => {
    expect((await sendRequest('post', { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
    expect((await sendRequest('post', { Origin: test.url })).status).toBe(201);
    // A proxy may change the host, so that it differs from Origin, but does not change Sec-Fetch-Site.
    expect((await sendRequest('post', { Origin: 'https://q.example', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(
      201,
    );
  });

  it('a page of another origin can link to an address that requires a session, but cannot embed the response', async () => {
    expect((await sendRequest('get', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' })).status).toBe(403);
    expect((await sendRequest('get', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate' })).status).toBe(
      200,
    );
    expect((await sendRequest('get', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' })).status).toBe(200);
    expect((await sendRequest('get', {})).status).toBe(200);
  });

  it('operations that accept API keys from pages of other origins refuse session cookies from those pages', async () => {
    const cookie = readSetCookie((await startSession({ apiKey: tenant.key })).headers);
    const datastore = await createDatastore(tenant.api);
    const asked = test
      .createApi()
      .post(`/api/datastores/${datastore}/query`)
      .set({ Cookie: cookie, Origin: 'https://evil.example' });
    const response = await asked.send({ query: 'What?' });
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([403, '*']);
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

it('every response below /api has headers that forbid caching, framing and loading resources', async () => {
  for (const path of ['/api/me', '/api/nowhere', '/api/session', '/api/datastores']) {
    for (const api of [tenant.api, test.createApi()]) {
      expect((await api.get(path)).headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    }
  }
});
