import { countTokens } from '@quarry/text-analysis/tokens';
import type { FoundFragment, ListedFragment } from '@quarry/contracts';
import { startHttpServer } from '@quarry/service-kit';
import { StreamableHTTPClientTransport, Client } from '@modelcontextprotocol/client';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { formatFragmentCursor } from '../fragments/fragment-position.js';
import { createQuarryMcpServer } from '../mcp/create-mcp-server.js';
import { buildGatewayApp } from '../server.js';
import { connectClient, connectEarlierClient, type McpTestClient, type ToolResult } from '../testing/mcp-clients.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { uploadText } from '../testing/create-resources.js';
import { scriptAnswers } from '../testing/script-answers.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

const CLIENTS = [
  ['2026-07-28', connectClient],
  ['2025-11-25', connectEarlierClient],
] as const;

function buildFragment(datasourceId: string, text: string): FoundFragment {
  const place = { customId: null, source: null, page: null, rectangles: [], documentKey: 'notes.txt' };
  return { fragmentId: `f ${text.slice(0, 5)}`, datasourceId, text, score: 0.5, ...place };
}

function buildListed(documentKey: string, ordinal: number, text: string): ListedFragment {
  const place = { page: null, location: null, rectangles: [], context: '' };
  return { fragmentId: String(ordinal), documentKey, ordinal, text, tokens: 1, ...place };
}

/** Reads all parts of a text with the tool `fetch`, and counts the tokens of the largest result. */
async function readInParts(
  client: McpTestClient,
  input: { readonly id: string; readonly maxTokens: number },
): Promise<{ readonly parts: readonly string[]; readonly mostTokens: number }> {
  const parts: string[] = [];
  let mostTokens = 0;
  let cursor: string | null = null;
  do {
    const { structuredContent } = await client.callTool('fetch', { ...input, cursor });
    mostTokens = Math.max(mostTokens, countTokens(JSON.stringify(structuredContent)));
    const part = structuredContent as { readonly text: string; readonly nextCursor: string | null }; // validated by the client
    parts.push(part.text);
    cursor = part.nextCursor;
  } while (cursor !== null && parts.length < 500);
  return { parts, mostTokens };
}

const removeSpaces = (text: string): string => text.replaceAll(/\s/g, '');

const getText = ({ content }: ToolResult): string => content.map(({ text = '' }) => text).join('');

describe.each(CLIENTS)('a client of the revision %s', (_revision, connect) => {
  const open = async (path = '/mcp', key = used.tenant.key): Promise<McpTestClient> =>
    connect(`${used.test.url}${path}`, key);

  it('an MCP client lists the tools in a fixed order', async () => {
    const client = await open();
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(['search', 'fetch', 'ask', 'list_datastores', 'add_text', 'status']);
    await client.close();
  });

  it('an MCP client can list and call write tools only with the scope `ingest`', async () => {
    const { key } = await used.tenant.addKey({ scopes: ['query'] });
    const client = await open('/mcp', key);
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(['search', 'ask', 'list_datastores']);
    const refused = client.callTool('add_text', { text: 'a' }).then(({ isError }) => isError === true);
    expect(await refused.catch(() => true)).toBe(true);
    expect((await used.tenant.api.get('/api/datasources')).body).toMatchObject({ items: [] });
    await client.close();
  });

  it('the tool `list_datastores` shortens the long description of a datastore without splitting a surrogate pair', async () => {
    const description = `${'a'.repeat(199)}😀`;
    await used.tenant.api.post('/api/datastores').send({ name: 'long', description }).expect(201);
    const client = await open();
    const { structuredContent } = await client.callTool('list_datastores', {});
    const listed = JSON.stringify(structuredContent);
    expect(listed).toContain(`${'a'.repeat(199)}�`);
    expect(listed).not.toMatch(/\\ud83d/i);
    await client.close();
  });

  it('the tool `list_datastores` lists at most 20 agents, and reports that further agents exist', async () => {
    const client = await open();
    const list = async (more: object): Promise<unknown> =>
      (await client.callTool('list_datastores', more)).structuredContent;
    expect(await list({})).toMatchObject({ agents: [{ id: used.agent }], agentsTruncated: false });
    for (let at = 0; at < 20; at += 1)
      await used.tenant.api
        .post('/api/agents')
        .send({ name: `Agent ${at}`, datastoreIds: [] })
        .expect(201);
    const all = (await list({})) as { readonly agents: readonly unknown[] }; // validated by the client
    expect(all.agents).toHaveLength(20);
    expect(all).toMatchObject({ agentsTruncated: true });
    expect(await list({ maxTokens: 200 })).toMatchObject({ agentsTruncated: true });
    await client.close();
  });

  it('the tool `search` returns each result with the id of its datasource, its document key and the URL of the original', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    used.test.query.fragments = [buildFragment(id, 'The answer is 42.')];
    const client = await open();
    const { structuredContent, content } = await client.callTool('search', { query: 'answer' });
    const url = `${used.test.url}/api/datasources/${id}/original`;
    const result = { id, documentKey: 'notes.txt', title: 'notes.txt', url, score: 0.5, text: 'The answer is 42.' };
    expect(structuredContent).toEqual({ results: [result], truncated: false });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(used.test.query.searches.at(-1)?.datastores.map((datastore) => datastore.id)).toEqual([used.datastore]);
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { datastoreQueries: 1 } });
    await client.close();
  });

  it.each([
    { name: 'notes.txt', words: 50, maxTokens: 300 },
    { name: 'notes.txt', words: 300, maxTokens: 500 },
    { name: 'Notes of the meeting. '.repeat(20), words: 300, maxTokens: 200 },
  ])(
    'an MCP client can read a document of three fragments with $words words each in parts of $maxTokens tokens',
    async ({ name, words, maxTokens }) => {
      const id = await uploadText(used.tenant.api, used.datastore);
      const [row] = await used.test.gateway.db
        .update(datasources)
        .set({ name })
        .where(eq(datasources.id, id))
        .returning();
      const texts = [0, 1, 2].map((part) => Array.from({ length: words }, (_, at) => `word${part}.${at}`).join(' '));
      used.test.query.stored = texts.map((text, part) => buildListed(row?.documentKey ?? '', part, text));
      const client = await open();
      const { parts, mostTokens } = await readInParts(client, { id, maxTokens });
      expect(parts.length).toBeGreaterThan(1);
      expect(removeSpaces(parts.join(''))).toBe(removeSpaces(texts.join('')));
      expect(mostTokens).toBeLessThanOrEqual(maxTokens);
      await client.close();
    },
  );

  it('the tool `fetch` returns at least one character of the text if the URL of a document uses up the budget', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    let source = 'https://example.com/';
    while (countTokens(JSON.stringify(source)) < 138) source += ' x';
    const [row] = await used.test.gateway.db
      .update(datasources)
      .set({ source })
      .where(eq(datasources.id, id))
      .returning();
    const characters = Array.from({ length: 10 }, () => '\u{1F600}');
    used.test.query.stored = [buildListed(row?.documentKey ?? '', 0, characters.join(''))];
    const client = await open();
    expect((await readInParts(client, { id, maxTokens: 200 })).parts).toEqual([...characters, '']);
    await client.close();
  });

  it.each([
    ['web_page', { source_url: 'https://example.com/hours' }, 'https://example.com/hours'],
    ['web_site', { source_url: 'https://example.com/' }, 'https://example.com/'],
    ['web_site', { sitemap: 'https://example.com/sitemap.xml' }, 'https://example.com/sitemap.xml'],
    ['item_listing', { url: 'https://example.com/items.json?key=1' }, 'https://example.com/items.json'],
  ] as const)('the tool `fetch` returns for a %s with the configuration %j the URL %s', async (type, config, url) => {
    const id = await uploadText(used.tenant.api, used.datastore);
    await used.test.gateway.db.update(datasources).set({ type, config, source: null }).where(eq(datasources.id, id));
    used.test.query.stored = [];
    const client = await open();
    const { structuredContent } = await client.callTool('fetch', { id });
    expect(structuredContent).toMatchObject({ url });
    await client.close();
  });

  it('the tool `fetch` accepts a cursor of an earlier release, and refuses an invalid cursor', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
    const documentKey = row?.documentKey ?? '';
    used.test.query.stored = ['First.', 'Second.'].map((text, ordinal) => buildListed(documentKey, ordinal, text));
    const client = await open();
    const continued = await client.callTool('fetch', { id, cursor: formatFragmentCursor({ documentKey, ordinal: 1 }) });
    expect(continued.structuredContent).toMatchObject({ text: 'Second.', nextCursor: null });
    for (const cursor of ['.5', 'x.5', 'x']) {
      expect(getText(await client.callTool('fetch', { id, cursor }))).toContain('must be the next_cursor');
    }
    await client.close();
  });

  it('the tool `fetch` continues a document without the text that overlaps the preceding result', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
    const shared = 'The pump has two seals.';
    const texts = [`It is new. ${shared}`, `${shared} ${'Each lasts a year. '.repeat(25)}`];
    used.test.query.stored = texts.map((text, ordinal) => buildListed(row?.documentKey ?? '', ordinal, text));
    const client = await open();
    const { parts } = await readInParts(client, { id, maxTokens: 200 });
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('').split(shared)).toHaveLength(2);
    await client.close();
  });

  it('if two fragments of a document overlap, the tool `fetch` returns their common text only once', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
    const shared = 'The pump has two seals.';
    used.test.query.stored = [`It is new. ${shared}`, `${shared} Each lasts a year.`, 'A year later, change them.'].map(
      (text, ordinal) => buildListed(row?.documentKey ?? '', ordinal, text),
    );
    const client = await open();
    const { structuredContent } = await client.callTool('fetch', { id });
    expect(structuredContent).toMatchObject({
      text: `It is new. ${shared}\n\nEach lasts a year.\n\nA year later, change them.`,
    });
    await client.close();
  });

  it.each([64, 0])(
    'the tool `fetch` returns all lines of a document of equal lines, with a maximum overlap of %d tokens',
    async (overlapTokens) => {
      const splitting = { maxTokens: 512, overlapTokens };
      await used.tenant.api.patch(`/api/datastores/${used.datastore}`).send({ splitting }).expect(200);
      const id = await uploadText(used.tenant.api, used.datastore);
      const [row] = await used.test.gateway.db.select().from(datasources).where(eq(datasources.id, id));
      const repeatLine = (count: number): string =>
        Array.from({ length: count }, () => 'GET /health 200 OK').join('\n');
      let overlap = 0;
      while (countTokens(repeatLine(overlap + 1)) <= overlapTokens) overlap += 1;
      used.test.query.stored = [repeatLine(50), repeatLine(overlap + 50), repeatLine(overlap + 5)].map(
        (text, ordinal) => buildListed(row?.documentKey ?? '', ordinal, text),
      );
      const client = await open();
      const { structuredContent } = await client.callTool('fetch', { id });
      const { text } = structuredContent as { readonly text: string }; // validated by the client
      expect(text.split('GET')).toHaveLength(1 + 105);
      await client.close();
    },
  );

  it('an MCP client that asks an agent receives progress while the answer is streamed', async () => {
    const script = scriptAnswers(used.test);
    const pieces: string[] = [];
    const client = await open();
    const answered = client.callTool(
      'ask',
      { question: 'why?', agentId: used.agent },
      { onProgress: ({ message = '' }) => pieces.push(message) },
    );
    script.send('Because.');
    await expectEventually(() => pieces).toEqual(['Because.']);
    script.complete();
    expect((await answered).structuredContent).toMatchObject({ answer: 'Because.', sources: [], truncated: false });
    const { conversationId } = (await answered).structuredContent as { conversationId: string }; // validated by the client
    expect((await used.tenant.api.get(`/api/conversations/${conversationId}/messages`)).text).toContain('Because.');
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { agentQueries: 1 } });
    await client.close();
  });

  it('the MCP endpoint of an agent gives access only to the agent and its datastores', async () => {
    const client = await open(`/mcp/${used.agent}`);
    expect((await client.callTool('ask', { question: 'why?' })).structuredContent).toMatchObject({ answer: 'Yes.' });
    const other = (await used.tenant.api.post('/api/datastores').send({ name: 'other' })).body as { id: string }; // documented
    const refused = await client.callTool('search', { query: 'a', datastoreIds: [other.id] });
    expect([refused.isError, getText(refused)]).toEqual([
      true,
      `not_found: There is no datastore ${other.id} that this key can access.`,
    ]);
    expect((await client.callTool('list_datastores', {})).structuredContent).toMatchObject({
      datastores: [{ id: used.datastore }],
      agents: [{ id: used.agent }],
    });
    await client.close();
  });

  it('an MCP client can add a text and read its status', async () => {
    const client = await open();
    const added = await client.callTool('add_text', { text: 'Opening hours: 9 to 5.', documentId: 'hours' });
    const { id } = added.structuredContent as { id: string }; // validated by the client
    const status = await client.callTool('status', { id });
    expect(status.structuredContent).toMatchObject({ id, type: 'document', status: 'pending', title: 'hours' });
    const again = await client.callTool('add_text', { text: 'Opening hours: 8 to 6.', documentId: 'hours' });
    expect(again.structuredContent).toMatchObject({ id });
    const byId = await client.callTool('add_text', { text: 'Opening hours: 7 to 5.', documentId: id });
    expect(byId.structuredContent).toMatchObject({ id });
    await client.close();
  });

  it('an MCP tool call with invalid arguments returns the names of the invalid fields', async () => {
    const client = await open();
    const invalid = client.callTool('search', { query: 'a', topK: 0, sort: 'x' }).then(getText, String);
    expect(await invalid).toContain('topK must not be less than 1, found 0');
    expect(await invalid).toContain('sort is not a field of this object');
    const unknown = await client.callTool('fetch', { id: 'nothing' });
    expect([unknown.isError, getText(unknown)]).toEqual([
      true,
      'not_found: There is no datasource nothing that this key can access.',
    ]);
    await client.close();
  });

  it('an MCP client receives no details of an internal error', async () => {
    used.test.query.refusal = { status: 500, body: { code: 'x', detail: 'secret' } };
    const client = await open();
    const failed = await client.callTool('search', { query: 'a' });
    expect(failed.isError).toBe(true);
    expect(getText(failed)).not.toContain('secret');
    await client.close();
  });

  it('the tool `search` returns at most `maxTokens` tokens to an MCP client', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    used.test.query.fragments = Array.from({ length: 20 }, (_, number) =>
      buildFragment(id, `${number} lorem `.repeat(40)),
    );
    const client = await open();
    for (const maxTokens of [200, 400, 1_000]) {
      const { structuredContent } = await client.callTool('search', { query: 'a', maxTokens });
      expect(countTokens(JSON.stringify(structuredContent))).toBeLessThanOrEqual(maxTokens);
      const { results, truncated } = structuredContent as { results: readonly object[]; truncated: boolean }; // validated by the client
      expect([results.length > 0, truncated]).toEqual([true, true]);
    }
    await client.close();
  });
});

describe('the MCP endpoint', () => {
  it.each(CLIENTS)(
    'if a client of the MCP revision %s disconnects, the MCP endpoint aborts the answer to this client',
    async (revision, connect) => {
      const script = scriptAnswers(used.test);
      const client = await connect(`${used.test.url}/mcp/${used.agent}`, used.tenant.key);
      const cancellation = new AbortController();
      const pieces: string[] = [];
      const answered = client.callTool(
        'ask',
        { question: 'why?' },
        { signal: cancellation.signal, onProgress: ({ message = '' }) => pieces.push(message) },
      );
      answered.catch(() => undefined);
      script.send('Because');
      await expectEventually(() => pieces).toEqual(['Because']);
      cancellation.abort();
      // A client of the earlier revision keeps the connection open until the client is closed.
      if (revision === '2025-11-25') await client.close();
      await script.aborted;
      await expect(answered).rejects.toThrow();
    },
  );

  it.each(['2025-03-26', '2025-11-25', '2026-07-28'])(
    'the MCP endpoint refuses a JSON-RPC batch of the revision %s without calling a tool, because the rate limit counts it as one request',
    async (revision) => {
      const params = { name: 'search', arguments: { query: 'a' } };
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${used.tenant.key}`,
        'MCP-Protocol-Version': revision,
      };
      const body = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })));
      const refused = await fetch(`${used.test.url}/mcp`, { method: 'POST', headers, body });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { id: null, error: { code: -32_600, message: expect.stringContaining('found a batch') as string } },
      ]);
      expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { datastoreQueries: 0 } });
    },
  );

  it('the definitions of all MCP tools together have at most 1,500 tokens', async () => {
    const client = await connectClient(`${used.test.url}/mcp`, used.tenant.key);
    const tools = await client.listTools();
    expect(tools.length).toBeLessThanOrEqual(6);
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(1_500);
    await client.close();
  });

  it('the calls of an MCP client succeed if they alternate between gateways, because the gateways keep no MCP sessions', async () => {
    const replica = await startHttpServer(buildGatewayApp(used.test.context, used.test.gateway), {
      host: '127.0.0.1',
      port: 0,
    });
    let requests = 0;
    const fetchAlternately: typeof fetch = async (input, init) => {
      requests += 1;
      const url = new URL(input instanceof Request ? input.url : input);
      url.host = new URL(requests % 2 === 0 ? used.test.url : replica.url).host;
      return fetch(url, init);
    };
    for (const pin of ['2025-11-25', '2026-07-28']) {
      const client = new Client(
        { name: 'test', version: '1.0.0' },
        pin === '2026-07-28' ? { versionNegotiation: { mode: { pin } } } : {},
      );
      const headers = { Authorization: `Bearer ${used.tenant.key}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${used.test.url}/mcp`), {
          fetch: fetchAlternately,
          requestInit: { headers },
        }),
      );
      for (let call = 0; call < 6; call += 1) {
        const { structuredContent } = await client.callTool({ name: 'list_datastores', arguments: {} });
        expect(structuredContent).toMatchObject({ datastores: [{ id: used.datastore }] });
      }
      await client.close();
    }
    await replica.close(100);
  });

  it('createQuarryMcpServer creates a server without tools for a key without scopes', () => {
    const { gateway } = used.test;
    const caller = { organizationId: 'o', keyId: 'k', scopes: [], limits: undefined };
    const signal = AbortSignal.timeout(1_000);
    const call = {
      gateway,
      caller,
      canUseOperation: () => false,
      agent: undefined,
      apiUrl: '',
      log: gateway.log,
      signal,
    };
    expect(createQuarryMcpServer(call).toolInputSchemaJson('search')).toBeUndefined();
  });
});
