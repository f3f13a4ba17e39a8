import { expect, it, vi } from 'vitest';
import type { QuarryClient } from './quarry/quarry-client.js';
import { describeStacks } from './quarry/stacks.js';

/** Asks as one tenant, or as the operator. @returns status and body */
type Ask = (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly body: Body }>;
/** What the tests read of any answer. */
interface Body {
  readonly id: string;
  readonly ids: readonly string[];
  readonly apiKey: string;
  readonly status: string;
  readonly items: readonly { readonly status: string }[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly queries: object;
  readonly storedTokens: { readonly used: number };
}

function asking(client: QuarryClient, key?: string): Ask {
  return async (method, path, body) => {
    const response = await client.send(path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Body }; // checked by the tests
  };
}

const SETTLED = ['synched', 'error', 'usage_limit_reached'];
/** A key may ask 600 times a minute. */
const SETTLE = { timeout: 60_000, interval: 250 };
const TEXT = 'The shop opens at nine, and closes when the last customer has left. '.repeat(40);

describeStacks('the limits of an organization', {}, (client) => {
  async function makeOrganization(
    limits: object,
  ): Promise<{ path: string; operator: Ask; tenant: Ask; store: string }> {
    const operator = asking(client());
    const made = await operator('POST', '/organizations', { name: 'Acme', limits });
    expect(made.status).toBe(201);
    const tenant = asking(client(), made.body.apiKey);
    const store = (await tenant('POST', '/datastores', { name: 'Notes' })).body.id;
    return { path: `/organizations/${made.body.id}`, operator, tenant, store };
  }

  async function settled(tenant: Ask, id: string, statuses: readonly string[]): Promise<Body> {
    return vi.waitUntil(async () => {
      const { body } = await tenant('GET', `/datasources/${id}`);
      return statuses.includes(body.status) ? body : undefined;
    }, SETTLE);
  }

  it('let exactly as many queries through as the month has, however many come at once', async () => {
    const { tenant, store } = await makeOrganization({ agentQueriesPerMonth: 30 });
    const agent = (await tenant('POST', '/agents', { name: 'Clerk', datastoreIds: [store] })).body.id;
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const path = number % 2 === 0 ? `/agents/${agent}/query` : `/datastores/${store}/query`;
        return (await tenant('POST', path, { query: 'When does the shop open?' })).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 402)).toHaveLength(30);
    expect((await tenant('GET', '/usage')).body.queries).toMatchObject({ used: 30, limit: 30 });
  });

  it('keep a document waiting that finds no room, until it has room', async () => {
    const { path, operator, tenant, store } = await makeOrganization({ storedTokens: 100 });
    const upsert = { documents: [{ name: 'long', text: TEXT }] };
    const [id = ''] = (await tenant('POST', `/datastores/upsert/${store}`, upsert)).body.ids;
    const waiting = await settled(tenant, id, SETTLED);
    expect(waiting).toMatchObject({ status: 'usage_limit_reached', error: { code: 'usage_limit_reached' } });
    expect(waiting.error?.message).toContain('The limit storedTokens allows 100 tokens, found 0 stored');

    expect((await operator('PATCH', path, { limits: { storedTokens: 100_000 } })).status).toBe(200);
    expect(await settled(tenant, id, ['synched', 'error'])).toMatchObject({ status: 'synched', error: null });
    expect((await tenant('GET', '/usage')).body.storedTokens.used).toBeGreaterThan(100);

    expect((await tenant('DELETE', `/datasources/${id}`)).status).toBe(204);
    expect((await tenant('GET', '/usage')).body.storedTokens.used).toBe(0);
  });

  it('let no more documents in than there is room for, however many come at once', async () => {
    const { tenant, store } = await makeOrganization({ storedTokens: 300 });
    const documents = Array.from({ length: 40 }, (_, number) => ({
      name: `${number}`,
      text: `Note ${number}: ${'the shop is open. '.repeat(8)}`,
    }));
    const { ids } = (await tenant('POST', `/datastores/upsert/${store}`, { documents })).body;
    const ends = await vi.waitUntil(async () => {
      const { items } = (await tenant('GET', '/datasources?limit=200')).body;
      const statuses = items.map(({ status }) => status);
      return statuses.every((status) => SETTLED.includes(status)) ? statuses : undefined;
    }, SETTLE);
    expect(ends).toHaveLength(ids.length);
    expect(new Set(ends)).toEqual(new Set(['synched', 'usage_limit_reached']));
    const { used } = (await tenant('GET', '/usage')).body.storedTokens;
    expect(used).toBeLessThanOrEqual(300);
    expect(used).toBeGreaterThan(200);
  });
});
