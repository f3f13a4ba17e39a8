import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { messages } from '../database/tables/conversations.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { getStringField, uploadText } from '../testing/create-resources.js';
import type { Api } from '../testing/start-test-gateway.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const OWN = 'https://example.org/a';
const FRAGMENT = {
  ...{ fragmentId: 'f', documentKey: 'd', customId: null, page: null, text: 'Yes.' },
  ...{ score: 0.5, rectangles: [] },
};

interface WithSource {
  readonly source: string;
}

describe('the sources of results', () => {
  const used = setUpTenant({ settings: { ...TEST_SETTINGS, trustedProxies: 1 } });

  /**
   * Runs a search and an agent query that both find a web page and a document without a URL.
   *
   * @param id the datasource of the document without a URL; absent: a file
   * @returns the source addresses in the search results, in the answer and in the stored messages
   */
  async function collectSourceAddresses(
    api: Api,
    headers: Record<string, string> = {},
    id?: string,
  ): Promise<Record<string, string[]>> {
    const datasourceId = id ?? (await uploadText(api, used.datastore));
    const found = [
      { ...FRAGMENT, datasourceId, source: OWN },
      { ...FRAGMENT, datasourceId, source: null },
    ];
    used.test.query.fragments = found;
    const sources = found.map((fragment) => ({ ...fragment, cited: true }));
    used.test.query.answer = () => streamEvents([buildCompletedEvent('Yes.', { sources })]);
    const search = await api.post(`/api/datastores/${used.datastore}/query`).set(headers).send({ query: 'q' });
    const answer = await api.post(`/api/agents/${used.agent}/query`).set(headers).send({ query: 'q' });
    const answered = answer.body as { conversationId: string; sources: WithSource[] };
    const path = `/api/conversations/${answered.conversationId}/messages`;
    const listed = (await api.get(path).set(headers)).body as { items: { sources: WithSource[] }[] };
    const listAddresses = (all: readonly WithSource[]): string[] =>
      all.map(({ source }) => source.replace(datasourceId, '<id>'));
    return {
      results: listAddresses(search.body as WithSource[]),
      answer: listAddresses(answered.sources),
      conversation: listAddresses(listed.items.flatMap((message) => message.sources)),
    };
  }

  async function createListing(url: string): Promise<string> {
    const body = { type: 'item_listing', datastoreId: used.datastore, name: 'shop', config: { url } };
    return getStringField(await used.tenant.api.post('/api/datasources').send(body), 'id');
  }

  const expectAddresses = (found: Record<string, string[]>, api: string): void => {
    const addresses = [OWN, `${api}/datasources/<id>/original`];
    expect(found).toEqual({ results: addresses, answer: addresses, conversation: addresses });
  };

  it('the address of a source is the URL of the web page, or the URL of the original file at the host that a trusted proxy reports', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'kb.example.com' };
    expectAddresses(await collectSourceAddresses(used.tenant.api, headers), 'https://kb.example.com/api');
    expectAddresses(
      await collectSourceAddresses(used.tenant.api, { Host: 'localhost:3000' }),
      'http://localhost:3000/api',
    );
  });

  it('a GET request to the source address of a file returns the original file', async () => {
    const datasourceId = await uploadText(used.tenant.api, used.datastore, 'the text');
    used.test.query.fragments = [{ ...FRAGMENT, datasourceId, source: null }];
    const found = await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' });
    const [result] = found.body as WithSource[];
    const { pathname } = new URL(result?.source ?? '');
    expect((await used.tenant.api.get(pathname)).text).toBe('the text');
  });

  it('if an item of a listing has no URL, its source is the listing’s URL without the query, because a listing has no original file', async () => {
    const datasourceId = await createListing('https://shop.example/items?key=secret');
    expect(await collectSourceAddresses(used.tenant.api, {}, datasourceId)).toEqual({
      results: [OWN, 'https://shop.example/items'],
      answer: [OWN, 'https://shop.example/items'],
      conversation: [OWN, 'https://shop.example/items'],
    });
  });

  it('the source of a listing item in a message of an earlier version, which stored no source, is the URL of its listing', async () => {
    const { api, organizationId } = used.tenant;
    const { db } = used.test.gateway;
    const datasourceId = await createListing('https://shop.example/items');
    await collectSourceAddresses(api, {}, datasourceId);
    const isAnswer = and(eq(messages.organizationId, organizationId), eq(messages.role, 'assistant'));
    const [answer] = await db.select().from(messages).where(isAnswer);
    const sources = (answer?.sources ?? []).map((source) => ({ ...source, source: null }));
    await db.update(messages).set({ sources }).where(isAnswer);
    const response = await api.get(`/api/conversations/${String(answer?.conversationId)}/messages`);
    const { items } = response.body as { items: { sources: WithSource[] }[] };
    expect(items.flatMap((message) => message.sources.map(({ source }) => source))).toEqual([
      'https://shop.example/items',
      'https://shop.example/items',
    ]);
  });

  it('the addresses of sources have the host localhost if the header Host of the request is invalid', async () => {
    for (const host of ['a/b', 'user@host', 'a?b', '[']) {
      expectAddresses(await collectSourceAddresses(used.tenant.api, { Host: host }), 'http://localhost/api');
    }
  });
});

describe('the sources of results with QUARRY_PUBLIC_URL', () => {
  const used = setUpTenant({ settings: { ...TEST_SETTINGS, publicUrl: 'https://kb.example.com/quarry' } });

  it('if QUARRY_PUBLIC_URL is set, the addresses of sources are below that URL, whatever address the client used', async () => {
    const datasourceId = await uploadText(used.tenant.api, used.datastore);
    used.test.query.fragments = [{ ...FRAGMENT, datasourceId, source: null }];
    const found = await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' });
    const source = `https://kb.example.com/quarry/api/datasources/${datasourceId}/original`;
    expect(found.body).toMatchObject([{ source }]);
  });
});

describe('the sources of results without trusted proxies', () => {
  const used = setUpTenant();

  it('if no proxy is trusted, the addresses of sources do not depend on the header X-Forwarded-Host', async () => {
    const datasourceId = await uploadText(used.tenant.api, used.datastore);
    used.test.query.fragments = [{ ...FRAGMENT, datasourceId, source: null }];
    const search = used.tenant.api.post(`/api/datastores/${used.datastore}/query`);
    const found = await search.set('X-Forwarded-Host', 'evil.example').send({ query: 'q' });
    expect(found.text).not.toContain('evil');
  });
});
