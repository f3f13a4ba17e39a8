import { SCOPES } from '@quarry/contracts';
import type { Response } from 'supertest';
import { expect, it } from 'vitest';
import { ROUTES } from '../openapi/documented-routes.js';
import type { RouteDescription } from '../http/declaration.js';
import { signIn } from '../testing/sign-in.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const used = setUpTenant();

type Scope = (typeof SCOPES)[number];
const SCOPED = ROUTES.flatMap((operation) =>
  operation.scopes === undefined ? [] : [{ ...operation, scopes: operation.scopes }],
);

async function sendRequest(
  { method, path, servers: [server = '/api'] = [] }: RouteDescription,
  scopes: readonly Scope[],
  usesSession = false,
): Promise<Response> {
  const { key } = await used.tenant.addKey({ scopes });
  const api = usesSession ? await signIn(used.test, key) : used.test.createApi(key);
  return api[method](`${server === '/' ? '' : server}${path.replaceAll(/\{\w+\}/g, UNKNOWN_ID)}`);
}

it.each(SCOPED)(
  'the operation $id accepts an API key with any one of the scopes $scopes, and refuses a key with only other scopes',
  async (operation) => {
    const { scopes } = operation;
    for (const scope of scopes.length === 0 ? SCOPES : scopes)
      expect((await sendRequest(operation, [scope])).body).not.toMatchObject({ code: 'insufficient_scope' });
    if (scopes.length === 0) return;
    const refused = await sendRequest(
      operation,
      SCOPES.filter((scope) => !scopes.includes(scope)),
    );
    expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  },
);

const BELOW_API = SCOPED.filter(({ servers = ['/api'] }) => servers.includes('/api'));
it.each(BELOW_API)('the operation $id requires the same scopes for a session as for an API key', async (operation) => {
  for (const scope of SCOPES) {
    const [byKey, bySession] = [await sendRequest(operation, [scope]), await sendRequest(operation, [scope], true)];
    const isRefused = (response: Response): boolean =>
      (response.body as { readonly code?: string }).code === 'insufficient_scope';
    expect([bySession.status === 401, isRefused(bySession)]).toEqual([false, isRefused(byKey)]);
  }
});

it('every operation needs a credential, except sign-in, sign-out, health checks and the OpenAPI document', () => {
  const free = ROUTES.filter(({ scopes }) => scopes === undefined).map(({ id }) => id);
  expect(free.toSorted()).toEqual(['endSession', 'getLiveness', 'getOpenApi', 'getReadiness', 'startSession']);
});
