import { createClient, type QuarryClient, QuarryError } from '@quarry/client';
import { QuarryRetriever, QuarryVectorStore } from '@quarry/client/langchain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { RunningStack } from './quarry/stack.js';

const ENGLISH = { metadata: { type: 'eq', key: 'lang', value: 'en' } } as const;
const DOCUMENTS = [
  {
    id: 'en',
    pageContent: 'The door opens at nine.',
    metadata: { lang: 'en', source: 'https://example.org/hours', tags: ['a', { b: 1 }] },
  },
  { pageContent: 'The door is locked at six.', metadata: { lang: 'fr', source: 'https://example.org/hours' } },
];

let stack: RunningStack | undefined;
let quarry: QuarryClient;
let datastoreId: string;
let store: QuarryVectorStore;

beforeAll(async () => {
  stack = await oneMachineStack.start({}, []);
  quarry = createClient({ baseUrl: stack.baseUrl, apiKey: ROOT_KEY });
}, 120_000);
afterAll(async () => stack?.stop());
beforeEach(async () => {
  datastoreId = (await quarry.createDatastore({ name: 'langchain' })).id;
  store = await QuarryVectorStore.fromDocuments(DOCUMENTS, undefined, { quarry, datastoreId });
});

const searchIds = async (query: string): Promise<readonly (string | undefined)[]> =>
  (await store.similaritySearch(query)).map(({ id }) => id);

describe('QuarryVectorStore', () => {
  it('QuarryVectorStore returns documents with their ids and metadata, the most similar first', async () => {
    const found = await store.similaritySearchWithScore('when does the door open at nine', 2);
    expect(found.map(([document]) => document)).toMatchObject([
      DOCUMENTS[0],
      { ...DOCUMENTS[1], id: expect.any(String) as unknown },
    ]);
    const [first = 0, second = 0] = found.map(([, score]) => score);
    expect(first).toBeGreaterThan(second);
  });

  it('QuarryVectorStore replaces a stored document if a new document has the same id', async () => {
    expect(
      await store.addDocuments([{ pageContent: 'The gate opens at ten.', metadata: {} }], { ids: ['en'] }),
    ).toEqual(['en']);
    const [gate] = await store.similaritySearch('gate', 1);
    expect(gate).toMatchObject({ id: 'en', pageContent: 'The gate opens at ten.', metadata: {} });
    expect(await searchIds('nine')).toEqual([]);
  });

  it('QuarryVectorStore deletes documents, and ignores unknown ids', async () => {
    await store.delete({ ids: ['en', 'unknown'] });
    expect(await searchIds('nine')).toEqual([]);
    expect(await searchIds('door')).toHaveLength(1);
  });

  it('QuarryVectorStore.fromTexts stores all texts with the same metadata', async () => {
    await QuarryVectorStore.fromTexts(['A red boot.', 'A blue boot.'], { lang: 'en' }, undefined, {
      quarry,
      datastoreId,
    });
    expect(await store.similaritySearch('boot', 5, ENGLISH)).toMatchObject([
      { metadata: { lang: 'en' } },
      { metadata: { lang: 'en' } },
    ]);
  });

  it('QuarryVectorStore creates a retriever that applies a filter', async () => {
    expect(await store.asRetriever(5, ENGLISH).invoke('door')).toMatchObject([DOCUMENTS[0]]);
  });

  it('QuarryVectorStore refuses unknown filters, and refuses searches by vector', async () => {
    const unknown = { lang: 'en' } as object;
    await expect(store.similaritySearch('door', 1, unknown)).rejects.toThrow(QuarryError);
    await expect(store.similaritySearchVectorWithScore()).rejects.toThrow('Quarry embeds texts itself');
  });
});

describe('QuarryRetriever', () => {
  it('QuarryRetriever returns documents with their metadata, the name of the datasource and the score', async () => {
    const retriever = new QuarryRetriever({ quarry, datastoreId, k: 1, filters: ENGLISH });
    const { metadata, ...document } = DOCUMENTS[0] ?? {};
    expect(await retriever.invoke('door')).toMatchObject([
      {
        ...document,
        metadata: { ...metadata, datasource_name: 'The door opens at nine.', score: expect.any(Number) as unknown },
      },
    ]);
  });

  it('QuarryRetriever returns the passages of an uploaded file with the name of the file', async () => {
    await quarry.deleteDatasource((await quarry.listDatasources({ datastoreId })).items[0]?.id ?? '');
    const file = new File(['The window is closed.'], 'window.txt', { type: 'text/plain' });
    const { id } = await quarry.uploadFile(datastoreId, file);
    await quarry.untilSettled(id);
    expect(await new QuarryRetriever({ quarry, datastoreId }).invoke('window')).toMatchObject([
      { id, pageContent: 'The window is closed.', metadata: { datasource_name: 'window.txt', page: null } },
    ]);
  });
});
