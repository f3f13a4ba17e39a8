import type { AnswerSource, DatastoreQueryResult, FragmentResponse, MessageResponse, Page } from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { messages } from '../database/tables/conversations.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { getStringField, createSite, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const PAGE = 'https://example.com/a';
const STORED_KEY = 'the key of the only document';
const FRAGMENT = {
  ...{ fragmentId: 'f', customId: null, source: null, page: null, text: 'Yes.' },
  ...{ score: 0.5, rectangles: [], cited: true },
};

const used = setUpTenant();

afterEach(() => {
  used.test.query.fragments = [];
  used.test.query.stored = [];
});

/** Sets the fragments that the next searches and answers return: one fragment of each document. */
function setFoundFragments(
  documents: readonly { readonly datasourceId: string; readonly documentKey: string | null }[],
): void {
  const sources = documents.map((document) => ({ ...FRAGMENT, ...document }));
  used.test.query.fragments = sources;
  used.test.query.answer = () => streamEvents([buildCompletedEvent('Yes.', { sources })]);
}

/** Asks the agent. @returns the id of the conversation and the sources of the answer */
async function askQuestion(): Promise<{ readonly conversationId: string; readonly sources: readonly AnswerSource[] }> {
  const response = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'q' });
  const { sources } = response.body as { readonly sources: readonly AnswerSource[] };
  return { conversationId: getStringField(response, 'conversationId'), sources };
}

async function runSearch(): Promise<readonly DatastoreQueryResult[]> {
  const response = await used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q' });
  return response.body as readonly DatastoreQueryResult[];
}

/** Lists the document keys of the sources of the stored answers. */
async function listStoredKeys(conversationId: string): Promise<readonly (string | null)[]> {
  const response = await used.tenant.api.get(`/api/conversations/${conversationId}/messages`);
  const { items } = response.body as Page<MessageResponse>;
  return items.flatMap(({ sources }) => sources.map((source) => source.document_key));
}

/** Removes the document keys from stored answers, as in answers that an earlier version of Quarry stored. */
async function removeStoredKeys(): Promise<void> {
  await used.test.gateway.db.update(messages).set({
    sources: sql`(select coalesce(jsonb_agg(source - 'document_key'), '[]') from jsonb_array_elements(sources) source)`,
  });
}

const listKeys = (sources: readonly { readonly document_key: string | null }[]): readonly (string | null)[] =>
  sources.map((source) => source.document_key);

describe('the document keys of results and sources', () => {
  it('search results, answers and stored messages have the same document keys as GET /api/datasources/{id}/documents', async () => {
    const file = await uploadText(used.tenant.api, used.datastore, 'x', 'manual.txt');
    const site = await createSite(used.tenant.api, used.datastore);
    setFoundFragments([
      { datasourceId: file, documentKey: STORED_KEY },
      { datasourceId: site, documentKey: `${site}/${PAGE}` },
    ]);
    const { conversationId, sources } = await askQuestion();
    expect(listKeys(sources)).toEqual(['manual.txt', PAGE]);
    expect(listKeys(await runSearch())).toEqual(['manual.txt', PAGE]);
    expect(await listStoredKeys(conversationId)).toEqual(['manual.txt', PAGE]);
  });

  it('GET /api/datasources/{id}/fragments with the `document_key` of a source lists the fragments of the cited document', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    setFoundFragments([{ datasourceId: site, documentKey: `${site}/${PAGE}` }]);
    used.test.query.stored = [
      {
        ...{ fragmentId: 'f', documentKey: PAGE, ordinal: 0, text: 'Yes.', context: '' },
        ...{ page: null, location: null, rectangles: [], tokens: 1 },
      },
    ];
    const [source] = (await askQuestion()).sources;
    const path = `/api/datasources/${site}/fragments?documentKey=${encodeURIComponent(source?.document_key ?? '')}`;
    const { items } = (await used.tenant.api.get(path)).body as Page<FragmentResponse>;
    expect(items.map(({ id }) => id)).toEqual([source?.chunk_id]);
  });

  it('the document keys in stored messages change when a file is renamed', async () => {
    const file = await uploadText(used.tenant.api, used.datastore, 'x', 'manual.txt');
    setFoundFragments([{ datasourceId: file, documentKey: STORED_KEY }]);
    const { conversationId } = await askQuestion();
    await used.tenant.api.patch(`/api/datasources/${file}`).send({ name: 'handbook' });
    expect(await listStoredKeys(conversationId)).toEqual(['handbook']);
  });

  it('document keys in messages that an earlier version of Quarry stored are null, unless the datasource has only one document, as a file has', async () => {
    const file = await uploadText(used.tenant.api, used.datastore, 'x', 'manual.txt');
    const site = await createSite(used.tenant.api, used.datastore);
    setFoundFragments([
      { datasourceId: site, documentKey: `${site}/${PAGE}` },
      { datasourceId: file, documentKey: STORED_KEY },
    ]);
    const { conversationId } = await askQuestion();
    await removeStoredKeys();
    expect(await listStoredKeys(conversationId)).toEqual([null, 'manual.txt']);
  });

  it('a document key in a message that an earlier version of Quarry stored is null if the datasource was deleted', async () => {
    const file = await uploadText(used.tenant.api, used.datastore);
    setFoundFragments([{ datasourceId: file, documentKey: STORED_KEY }]);
    const { conversationId } = await askQuestion();
    await removeStoredKeys();
    await used.tenant.api.delete(`/api/datasources/${file}`);
    expect(await listStoredKeys(conversationId)).toEqual([null]);
  });

  it('document keys of search results and sources are null if an earlier version of the query service sends none', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    setFoundFragments([{ datasourceId: site, documentKey: null }]);
    expect(listKeys(await runSearch())).toEqual([null]);
    expect(listKeys((await askQuestion()).sources)).toEqual([null]);
  });
});
