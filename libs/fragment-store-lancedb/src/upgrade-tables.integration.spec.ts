import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection, type Table } from '@lancedb/lancedb';
import { getCollectionName, type FragmentStore } from '@quarry/fragment-store';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVersion,
  createScope,
} from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLanceDbFragmentStore } from './index.js';
import { buildArrowTable, buildReplacementRows } from './rows.js';
import { splitTableByOrganization } from './split-table.js';
import { getTableName } from './table-name.js';
import { createTableSchema } from './table-schema.js';
import { openOrCreateTable } from './tables.js';

const SHARED = getCollectionName(SAMPLE_COLLECTION);
const METADATA = { bird: 'heron', size: 5 };
const IS_HERON = { type: 'in', key: 'bird', value: ['heron', 'egret'] } as const;
const DOCUMENTS = Array.from({ length: 3 }, () => createSampleDocument());

describe('a table of an earlier version of Quarry with several organizations', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'quarry-lancedb-'));
    await withConnection(makeSharedTable);
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function withConnection(task: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = await connect(directory);
    await task(connection);
    connection.close();
  }

  const listTables = async (): Promise<string[]> =>
    (await readdir(directory)).filter((name) => name.includes('fragments-')).sort();
  const tablesOfOrganizations = DOCUMENTS.map(
    ({ organizationId }) => `${getTableName(SHARED, organizationId)}.lance`,
  ).sort();

  async function expectAllRows(store: FragmentStore): Promise<void> {
    expect(await listTables()).toEqual(tablesOfOrganizations);
    for (const [at, document] of DOCUMENTS.entries()) {
      const [found, ...others] = await store.searchLexical(
        SAMPLE_COLLECTION,
        createScope(document),
        { text: 'heron' },
        10,
      );
      expect([found?.text, others]).toEqual([`heron ${at}`, []]);
      expect(await store.readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
        generation: 1,
        fragments: 2,
      });
      const nearest = await store.searchDense(SAMPLE_COLLECTION, createScope(document), new Float32Array(8).fill(1), 9);
      expect(nearest).toHaveLength(2);
    }
  }

  async function upgradeAndClose(): Promise<void> {
    const store = await openLanceDbFragmentStore({ directory, upgrade: true });
    await expectAllRows(store);
    await store.close();
  }

  it('the upgrade splits a table that several organizations share into a table for each organization', async () => {
    await upgradeAndClose();
    await upgradeAndClose();
  });

  it('if the process was killed while it copied rows, the next upgrade splits the shared table again', async () => {
    const [first] = DOCUMENTS;
    await withConnection(async (connection) => {
      const name = getTableName(SHARED, first?.organizationId ?? '');
      await connection.createEmptyTable(name, createTableSchema(8));
    });
    await upgradeAndClose();
  });

  it('if the process was killed after it copied all rows, the next upgrade splits the shared table again', async () => {
    await withConnection((connection) => splitTableByOrganization(connection, SHARED));
    expect(await listTables()).toHaveLength(DOCUMENTS.length + 1);
    await upgradeAndClose();
  });

  it('if the process was killed while it removed a shared table, the next start removes the table', async () => {
    await withConnection((connection) => splitTableByOrganization(connection, SHARED));
    await rename(join(directory, `${SHARED}.lance`), join(directory, `retired-${SHARED}`));
    await rm(join(directory, `retired-${SHARED}`, '_versions'), { recursive: true });
    await upgradeAndClose();
  });

  it('the upgrade adds a missing index to the table of each organization', async () => {
    await upgradeAndClose();
    await rm(join(directory, 'layout.json'));
    const name = tablesOfOrganizations[0]?.replace('.lance', '') ?? '';
    await withConnection(async (connection) => (await connection.openTable(name)).dropIndex('price_idx'));
    await upgradeAndClose();
    await withConnection(async (connection) => {
      const indexes = await (await connection.openTable(name)).listIndices();
      expect(indexes.flatMap(({ columns }) => columns)).toContain('price');
    });
  });

  it('a table without the column `entries` can be filtered before its upgrade, and the upgrade adds and indexes the column', async () => {
    await upgradeAndClose();
    const name = tablesOfOrganizations[0]?.replace('.lance', '') ?? '';
    await withTable(name, (table) => table.dropColumns(['entries']));
    await rm(join(directory, 'layout.json'));
    const reader = await openLanceDbFragmentStore({ directory });
    const findAll = async (): Promise<number[]> => {
      const scopes = DOCUMENTS.map((document) => createScope(document, { metadata: IS_HERON }));
      const found = scopes.map((scope) => reader.searchLexical(SAMPLE_COLLECTION, scope, { text: 'heron' }, 10));
      return (await Promise.all(found)).map(({ length }) => length);
    };
    expect(await findAll()).toEqual([1, 1, 1]);
    await upgradeAndClose();
    expect(await findAll()).toEqual([1, 1, 1]);
    await reader.close();
    await withTable(name, async (table) => {
      expect(await table.indexStats('entries_idx')).toMatchObject({ numIndexedRows: 2, numUnindexedRows: 0 });
    });
  });

  it('if the process was killed before it indexed the column `entries`, the next start indexes the column', async () => {
    await upgradeAndClose();
    const name = tablesOfOrganizations[0]?.replace('.lance', '') ?? '';
    await withTable(name, (table) => table.dropIndex('entries_idx'));
    await rm(join(directory, 'layout.json'));
    await upgradeAndClose();
    await withTable(name, async (table) => {
      expect(await table.indexStats('entries_idx')).toMatchObject({ numIndexedRows: 2, numUnindexedRows: 0 });
    });
  });

  async function withTable(name: string, task: (table: Table) => Promise<unknown>): Promise<void> {
    await withConnection(async (connection) => {
      await task(await connection.openTable(name));
    });
  }

  it('the upgrade succeeds for a folder without tables', async () => {
    const empty = join(directory, 'empty');
    await mkdir(empty);
    await (await openLanceDbFragmentStore({ directory: empty, upgrade: true })).close();
    expect(await readdir(empty)).toContain('layout.json');
  });
});

/** Writes the rows of all documents, and a vacated slot, as earlier versions of Quarry did. */
async function makeSharedTable(connection: Connection): Promise<void> {
  const schema = createTableSchema(8);
  const table = await openOrCreateTable(connection, SHARED, schema);
  for (const [at, document] of DOCUMENTS.entries()) {
    const version = createSampleVersion(document, [`heron ${at}`, 'something else'], { metadata: METADATA });
    const rows = buildReplacementRows({ version, terms: version.fragments.map(({ text }) => text), profile: '' }, 3);
    await table.add(buildArrowTable(schema, rows));
  }
}
