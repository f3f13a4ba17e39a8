import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Connection } from '@lancedb/lancedb';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '@quarry/fragment-store/testing';
import type { DocumentRef, FragmentStore } from '@quarry/fragment-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { LanceDbFragmentStore } from './lance-db-fragment-store.js';
import { DEFAULT_MAINTENANCE } from './maintenance.js';
import { RenewedConnection } from './renewed-connection.js';
import { SearchedTables } from './searched-tables.js';
import { getTableKey } from './table-name.js';
import { TableWriters } from './table-writers.js';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/open-temporary-database.js';

/** Policy that optimizes a table only when its writer is closed, and again after the retention time. */
const POLICY = { commits: Infinity, rows: Infinity, idleMs: 1_000_000, retentionMs: 200, idleWriters: 1 };

describe('the writers of many tables', () => {
  let database: TemporaryDatabase;
  let directory: string;
  let connection: Connection;
  let store: FragmentStore;
  const documents = Array.from({ length: 5 }, () => createSampleDocument());

  beforeEach(async () => {
    database = await openTemporaryDatabase();
    ({ directory, connection } = database);
    store = await openLanceDbFragmentStore({ directory, maintenance: { ...POLICY, searchedTables: 2 } });
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const writeText = (document: DocumentRef, text: string, generation = 1): Promise<void> =>
    store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [text], { generation }));

  const openTable = async (document: DocumentRef) =>
    connection.openTable(getTableKey(SAMPLE_COLLECTION, document.organizationId).name);

  const findTexts = async (document: DocumentRef): Promise<string[]> => {
    const found = await store.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'grebe' }, 10);
    return found.map(({ text }) => text);
  };

  it('a store searches and writes every table, even if only a few tables can be open at a time', async () => {
    for (const generation of [1, 2]) {
      await Promise.all(documents.map((document) => writeText(document, `grebe ${generation}`, generation)));
      for (const document of documents) expect(await findTexts(document)).toEqual([`grebe ${generation}`]);
    }
    await Promise.all(documents.map((document) => writeText(document, 'grebe of an older run')));
    for (const document of documents) expect(await findTexts(document)).toEqual(['grebe 2']);
  });

  it('a table is optimized when its writer is closed, and its old versions are deleted after the retention time', async () => {
    const [first = createSampleDocument(), ...others] = documents;
    await writeText(first, 'grebe');
    for (const document of others) await writeText(document, 'grebe');
    const table = await openTable(first);
    await expect.poll(async () => (await table.indexStats('terms_idx'))?.numUnindexedRows).toBe(0);
    // A list of the versions cannot be read while one of them is being deleted.
    await vi.waitFor(
      async () => {
        expect(await table.listVersions()).toHaveLength(1);
      },
      { timeout: 10_000 },
    );
  });

  it('if the process ended before a table was optimized, the table is optimized when its folder is opened for writing again', async () => {
    const [first = createSampleDocument()] = documents;
    await writeText(first, 'grebe');
    await store.close();
    const countUnindexedRows = async () => (await (await openTable(first)).indexStats('terms_idx'))?.numUnindexedRows;
    expect(await countUnindexedRows()).toBe(1);
    store = await openLanceDbFragmentStore({ directory, upgrade: true, maintenance: POLICY });
    await expect.poll(countUnindexedRows, { timeout: 10_000 }).toBe(0);
    await expect.poll(() => readdir(join(directory, 'unoptimized')), { timeout: 10_000 }).toEqual([]);
  });

  it('if the process ended before the old versions of a table were deleted, they are deleted after the next start', async () => {
    const [first = createSampleDocument()] = documents;
    await store.close();
    const maintenance = { ...POLICY, idleMs: 0, retentionMs: 1_000_000 };
    store = await openLanceDbFragmentStore({ directory, maintenance });
    await writeText(first, 'grebe');
    await store.removeDocument(SAMPLE_COLLECTION, first, 1);
    const table = await openTable(first);
    await expect.poll(async () => (await table.indexStats('terms_idx'))?.numUnindexedRows).toBe(0);
    await store.close();
    expect((await table.listVersions()).length).toBeGreaterThan(1);
    store = await openLanceDbFragmentStore({ directory, upgrade: true, maintenance: POLICY });
    await vi.waitFor(
      async () => {
        expect(await table.listVersions()).toHaveLength(1);
      },
      { timeout: 10_000 },
    );
    await expect.poll(() => readdir(join(directory, 'unoptimized')), { timeout: 10_000 }).toEqual([]);
  });

  it('a write that arrives while the writer of its table is being closed is not lost', async () => {
    const [first = createSampleDocument(), second = createSampleDocument()] = documents;
    for (let generation = 1; generation <= 10; generation += 1) {
      await writeText(first, `grebe ${generation}`, generation);
      await writeText(second, `grebe ${generation}`, generation);
    }
    expect([await findTexts(first), await findTexts(second)]).toEqual([['grebe 10'], ['grebe 10']]);
  });
});

describe('a table whose writer is being opened', () => {
  let database: TemporaryDatabase;
  let store: FragmentStore;
  let connectWriter: () => void;

  beforeEach(async () => {
    database = await openTemporaryDatabase();
    const { directory } = database;
    const openConnection = (): Promise<Connection> => connect(directory, { readConsistencyInterval: 0 });
    const { promise: allowed, resolve } = Promise.withResolvers<undefined>();
    connectWriter = () => {
      resolve(undefined);
    };
    const policy = DEFAULT_MAINTENANCE;
    const connection = new RenewedConnection(() => allowed.then(openConnection));
    const writers = new TableWriters({ directory, connection, policy, report: () => undefined });
    const searched = new SearchedTables(new RenewedConnection(openConnection), policy);
    store = new LanceDbFragmentStore(directory, policy, searched, writers);
  });
  afterEach(async () => {
    connectWriter();
    await store.close();
    await database.remove();
  });

  const document = createSampleDocument();

  const findTexts = async (): Promise<readonly string[]> => {
    const scope = createScope(document);
    const byWords = await store.searchLexical(SAMPLE_COLLECTION, scope, { text: 'grebe' }, 10);
    const byVector = await store.searchDense(SAMPLE_COLLECTION, scope, createSampleVector('grebe'), 10);
    const listing = { ...document, documentKeys: [document.documentKey], firstOrdinal: 0, limit: 10 };
    const listed = await store.listFragments(SAMPLE_COLLECTION, listing);
    return [...byWords, ...byVector, ...listed].map(({ text }) => text);
  };

  it('while the writer of a table is being opened, searches and listings do not wait, and find the fragments that earlier writes stored', async () => {
    const before = await openLanceDbFragmentStore({ directory: database.directory });
    await before.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, ['grebe of the first run']));
    await before.close();
    const version = createSampleVersion(document, ['grebe of the second run'], { generation: 2 });
    const writing = store.replaceDocument(SAMPLE_COLLECTION, version);
    expect(await findTexts()).toEqual(Array<string>(3).fill('grebe of the first run'));
    expect(await store.findLanguages(SAMPLE_COLLECTION, createScope(document))).toEqual(['en']);
    connectWriter();
    await writing;
    expect(await findTexts()).toEqual(Array<string>(3).fill('grebe of the second run'));
  });

  it('before the first write of a table resolves, searches of the table find nothing; afterwards, they find everything that was written', async () => {
    const writing = store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, ['a grebe']));
    expect(await findTexts()).toEqual([]);
    connectWriter();
    await writing;
    expect(await findTexts()).toEqual(Array<string>(3).fill('a grebe'));
  });
});
