import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateDatastoreRequest, Datasource, UpsertDocument } from '@quarry/client';
import { EMBEDDING, startEmbeddingProvider } from './quarry/embedding-provider.js';
import { describeOnEachStack } from './quarry/stacks.js';
import { createTextFile } from './quarry/text-file.js';

const VERSIONS = 15;

const provider = await startEmbeddingProvider();
afterAll(() => {
  provider.stop();
});
const listServers = () => [provider.baseUrl];
const variables = { QUARRY_EMBEDDING_BASE_URL: provider.baseUrl, QUARRY_RATE_LIMIT: '0' };

/** Returns the number of passages and queries with this word that the provider has embedded. */
const countEmbeddings = (word: string): number => provider.asked.filter((text) => text.includes(word)).length;

describeOnEachStack(
  'documents that are sent again',
  { variables, servers: listServers, notAtAddress: 'it needs the simulated embedding provider of the tests' },
  (quarry) => {
    let datastoreId: string;
    beforeAll(async () => {
      provider.clear();
      const splitting = { maxTokens: 32, overlapTokens: 0 };
      datastoreId = await createDatastore('Stones', splitting);
    });

    async function createDatastore(
      name: string,
      splitting: CreateDatastoreRequest['splitting'] = null,
    ): Promise<string> {
      return (await quarry().createDatastore({ name, embedding: EMBEDDING, splitting })).id;
    }

    async function upsertAndSettle(document: UpsertDocument, into = datastoreId): Promise<Datasource> {
      const { ids } = await quarry().upsertDocuments(into, [document]);
      return quarry().untilSettled(ids[0] ?? '');
    }

    async function searchTexts(query: string, id = datastoreId, customIds?: string[]): Promise<readonly string[]> {
      const filters = customIds === undefined ? null : { custom_ids: customIds };
      return (await quarry().queryDatastore(id, { query, filters })).map(({ text }) => text);
    }

    it('a document is split by the settings of its datastore, its passages are embedded with its name, and searches return them without the name', async () => {
      const text = `${'Granite is hard. '.repeat(6)}\n\n${'Granite is heavy. '.repeat(6)}`;
      await expect(upsertAndSettle({ name: 'Hardness', text })).resolves.toMatchObject({ status: 'synched' });
      const asked = provider.asked.filter((one) => one.includes('Granite'));
      expect(asked).toHaveLength(2);
      expect(asked.every((one) => one.startsWith('Hardness\n\n'))).toBe(true);
      const returned = await searchTexts('granite');
      expect(returned).toHaveLength(2);
      expect(returned.join()).not.toContain('Hardness');
    });

    it('if a document is sent again without changes, Quarry does not embed it again, and the new run counts it as unchanged', async () => {
      const document = { name: 'Basalt', text: 'Basalt is volcanic.' };
      await upsertAndSettle(document);
      expect(countEmbeddings('volcanic')).toBe(1);
      await expect(upsertAndSettle(document)).resolves.toMatchObject({
        status: 'synched',
        run: { counters: { unchanged: 1, indexed: 0 } },
      });
      expect(countEmbeddings('volcanic')).toBe(1);
    });

    it('while a document is replaced, every search finds exactly one version of the document', async () => {
      const alone = await createDatastore('Replaced');
      await upsertAndSettle({ name: 'n', text: 'marble version 0' }, alone);
      let isReplacing = true;
      const searchWhileReplacing = async (): Promise<readonly number[][]> => {
        const seen: number[][] = [];
        while (isReplacing) {
          const texts = await searchTexts('marble version', alone);
          seen.push(texts.map((text) => Number(text.split(' ').at(-1))));
        }
        return seen;
      };
      const searching = Promise.all([searchWhileReplacing(), searchWhileReplacing(), searchWhileReplacing()]);
      for (let version = 1; version <= VERSIONS; version += 1) {
        await expect(upsertAndSettle({ name: 'n', text: `marble version ${version}` }, alone)).resolves.toMatchObject({
          run: { counters: { indexed: 1 } },
        });
      }
      isReplacing = false;
      for (const seen of await searching) {
        expect(seen.filter((versions) => versions.length !== 1)).toEqual([]);
        expect(seen).toEqual(seen.toSorted(([one = 0], [other = 0]) => one - other));
        expect(new Set(seen.flat()).size).toBeGreaterThan(3);
      }
      expect((await searchTexts('marble', alone))[0]).toBe(`marble version ${VERSIONS}`);
    });

    it('files with the same name in two datastores do not replace each other', async () => {
      const other = await createDatastore('Other');
      const first = await quarry().uploadFile(datastoreId, createTextFile('same.txt', 'Slate splits.'));
      const second = await quarry().uploadFile(other, createTextFile('same.txt', 'Slate is grey.'));
      expect(second.id).not.toBe(first.id);
      for (const { id } of [first, second]) {
        expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
      }
      expect(await searchTexts('slate', other)).toEqual(['Slate is grey.']);
      expect((await searchTexts('slate'))[0]).toBe('Slate splits.');
    });

    it('a search that filters by a custom id finds only the documents with that custom id', async () => {
      await upsertAndSettle({ name: 'one', text: 'Quartz is clear.', metadata: { custom_id: 'q-1' } });
      await upsertAndSettle({ name: 'two', text: 'Quartz is pink.', metadata: { custom_id: 'q-2' } });
      expect(await searchTexts('quartz', datastoreId, ['q-2'])).toEqual(['Quartz is pink.']);
      expect(await searchTexts('quartz', datastoreId, ['q-3'])).toEqual([]);
    });

    it('documents that share a custom id or a file name do not replace each other', async () => {
      const alone = await createDatastore('Grouped');
      const file = await quarry().uploadFile(alone, createTextFile('gneiss.txt', 'Gneiss is banded.'));
      const metadata = { custom_id: 'tenant' };
      const { ids } = await quarry().upsertDocuments(alone, [
        { name: 'one', text: 'Gneiss is old.', metadata },
        { name: 'two', text: 'Gneiss is foliated.', metadata },
        { name: 'gneiss.txt', text: 'Gneiss is everywhere.' },
      ]);
      for (const id of [file.id, ...ids]) expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
      expect(new Set([file.id, ...ids]).size).toBe(4);
      expect(await searchTexts('gneiss', alone)).toHaveLength(4);
      expect((await searchTexts('gneiss', alone, ['tenant'])).toSorted()).toEqual([
        'Gneiss is foliated.',
        'Gneiss is old.',
      ]);
    });

    describe('removed documents', () => {
      it('after a document is removed, searches find only the other documents', async () => {
        const alone = await createDatastore('Removed');
        const { id } = await upsertAndSettle({ name: 'one', text: 'Chalk is soft.' }, alone);
        await upsertAndSettle({ name: 'two', text: 'Chalk is white.' }, alone);
        await quarry().deleteDatasource(id);
        await expect.poll(() => searchTexts('chalk', alone), { timeout: 60_000 }).toEqual(['Chalk is white.']);
        await expect(quarry().getDatasource(id)).rejects.toMatchObject({ status: 404 });
      });
    });
  },
);
