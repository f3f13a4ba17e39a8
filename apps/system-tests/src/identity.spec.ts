import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDING, startEmbeddingProvider } from './quarry/embedding-provider.js';
import { describeStacks } from './quarry/stacks.js';

const VERSIONS = 15;

const provider = await startEmbeddingProvider();
afterAll(() => {
  provider.stop();
});
const servers = () => [provider.baseUrl];
const variables = { QUARRY_EMBEDDING_BASE_URL: provider.baseUrl, QUARRY_RATE_LIMIT: '0' };

/** How often texts with this word were embedded, questions included. */
const embedded = (word: string): number => provider.asked.filter((text) => text.includes(word)).length;

describeStacks('documents that come again', { variables, servers, notAtAddress: 'it embeds elsewhere' }, (client) => {
  let datastoreId: string;
  beforeAll(async () => {
    provider.forget();
    const splitting = { maxTokens: 32, overlapTokens: 0 };
    datastoreId = await client().createDatastore('Stones', { embedding: EMBEDDING, splitting });
  });

  const upsert = async (document: object, into = datastoreId) => {
    const [id = ''] = await client().upsert(into, [document]);
    return client().waitFor(id);
  };

  it('are cut as their datastore says, embedded under their name, and returned without it', async () => {
    const text = `${'Granite is hard. '.repeat(6)}\n\n${'Granite is heavy. '.repeat(6)}`;
    await expect(upsert({ name: 'Hardness', text })).resolves.toMatchObject({ status: 'synched' });
    const asked = provider.asked.filter((one) => one.includes('Granite'));
    expect(asked).toHaveLength(2);
    expect(asked.every((one) => one.startsWith('Hardness\n\n'))).toBe(true);
    const found = await client().search(datastoreId, 'granite');
    expect(found).toHaveLength(2);
    for (const { text: returned } of found) expect(returned).not.toContain('Hardness');
  });

  it('are not embedded again when nothing has changed, and say so', async () => {
    const document = { name: 'Basalt', text: 'Basalt is volcanic.' };
    await upsert(document);
    expect(embedded('volcanic')).toBe(1);
    await expect(upsert(document)).resolves.toMatchObject({
      status: 'synched',
      run: { counters: { unchanged: 1, indexed: 0 } },
    });
    expect(embedded('volcanic')).toBe(1);
  });

  it('are found in exactly one version, all the while they are replaced', async () => {
    const alone = await client().createDatastore('Replaced', { embedding: EMBEDDING });
    await upsert({ name: 'n', text: 'marble version 0' }, alone);
    let isReplacing = true;
    const search = async (): Promise<readonly number[][]> => {
      const seen: number[][] = [];
      while (isReplacing) {
        const found = await client().search(alone, 'marble version');
        seen.push(found.map(({ text }) => Number(text.split(' ').at(-1))));
      }
      return seen;
    };
    const searching = Promise.all([search(), search(), search()]);
    for (let version = 1; version <= VERSIONS; version += 1) {
      await expect(upsert({ name: 'n', text: `marble version ${version}` }, alone)).resolves.toMatchObject({
        run: { counters: { indexed: 1 } },
      });
    }
    isReplacing = false;
    for (const seen of await searching) {
      expect(seen.filter((versions) => versions.length !== 1)).toEqual([]);
      expect(seen).toEqual(seen.toSorted(([one = 0], [other = 0]) => one - other));
      expect(new Set(seen.flat()).size).toBeGreaterThan(3);
    }
    expect((await client().search(alone, 'marble'))[0]?.text).toBe(`marble version ${VERSIONS}`);
  });

  it('are two under the same name in two datastores', async () => {
    const other = await client().createDatastore('Other', { embedding: EMBEDDING });
    const file = (text: string) => ({ name: 'same.txt', type: 'text/plain', content: Buffer.from(text) });
    const first = await client().upload(datastoreId, file('Slate splits.'));
    const second = await client().upload(other, file('Slate is grey.'));
    expect(second.id).not.toBe(first.id);
    await Promise.all([first, second].map(({ id }) => client().waitFor(id, ['synched'])));
    expect((await client().search(other, 'slate')).map(({ text }) => text)).toEqual(['Slate is grey.']);
    expect((await client().search(datastoreId, 'slate'))[0]?.text).toBe('Slate splits.');
  });

  it('are found by their custom id alone, where a search asks for it', async () => {
    await upsert({ name: 'one', text: 'Quartz is clear.', metadata: { custom_id: 'q-1' } });
    await upsert({ name: 'two', text: 'Quartz is pink.', metadata: { custom_id: 'q-2' } });
    const found = await client().search(datastoreId, 'quartz', { filters: { custom_ids: ['q-2'] } });
    expect(found.map(({ text }) => text)).toEqual(['Quartz is pink.']);
    await expect(client().search(datastoreId, 'quartz', { filters: { custom_ids: ['q-3'] } })).resolves.toEqual([]);
  });

  describe('when they are removed', () => {
    it('leave nothing that is found, and take nothing beside them', async () => {
      const alone = await client().createDatastore('Removed', { embedding: EMBEDDING });
      const { id } = await upsert({ name: 'one', text: 'Chalk is soft.' }, alone);
      await upsert({ name: 'two', text: 'Chalk is white.' }, alone);
      expect((await client().send(`/datasources/${id}`, { method: 'DELETE' })).ok).toBe(true);
      await expect
        .poll(async () => (await client().search(alone, 'chalk')).map(({ text }) => text), { timeout: 60_000 })
        .toEqual(['Chalk is white.']);
      expect((await client().send(`/datasources/${id}`)).status).toBe(404);
    });
  });
});
