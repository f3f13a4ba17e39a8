import { type Connection, type Table } from '@lancedb/lancedb';
import {
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_MAINTENANCE } from './maintenance.js';
import { Mutex } from './mutex.js';
import { RemovedDocuments } from './removed-documents.js';
import { createTableSchema } from './table-schema.js';
import { searchDense } from './search.js';
import { type OpenedTable, openOrCreateTable, reopenTable } from './tables.js';
import { TableWriter } from './table-writer.js';
import { optimizeTable } from './optimize-table.js';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/open-temporary-database.js';

const UNRECORDED = { recordUnoptimized: () => Promise.resolve(), recordOptimized: () => Promise.resolve() };
const NEVER = { ...DEFAULT_MAINTENANCE, commits: Infinity, rows: Infinity, idleMs: 1_000_000 };

describe('TableWriter', () => {
  let database: TemporaryDatabase;
  let connection: Connection;
  let table: Table;
  let writer: TableWriter;

  beforeEach(async () => {
    database = await openTemporaryDatabase();
    ({ connection } = database);
    const schema = createTableSchema(8);
    table = await openOrCreateTable(connection, 'fragments', schema);
    const reopen = (): Promise<OpenedTable> => reopenTable(connection, 'fragments');
    writer = await TableWriter.openWriter(
      { table, schema, reopen, removed: new RemovedDocuments(), state: UNRECORDED },
      NEVER,
      (error) => {
        throw error;
      },
    );
  });
  afterEach(async () => {
    await writer.closeWriter();
    await database.remove();
  });

  const replaceTexts = (key: string, texts: readonly string[], generation = 1): Promise<void> =>
    writer.replaceDocument(createSampleVersion({ ...tenant, documentKey: key }, texts, { generation }));
  const tenant = createSampleDocument();

  it('the table writer commits many concurrent writes in few commits', async () => {
    const before = await table.version();
    await Promise.all(Array.from({ length: 1_000 }, (_, at) => replaceTexts(`d${String(at)}`, ['text'])));
    expect(await table.countRows()).toBe(1_000);
    expect((await table.version()) - before).toBeLessThanOrEqual(3);
  });

  it('the table writer overwrites the slots of the previous document version, and an optimization deletes vacated slots', async () => {
    await replaceTexts('d', ['one', 'two', 'three']);
    const before = await table.version();
    await replaceTexts('d', ['four'], 2);
    expect((await table.version()) - before).toBe(1);
    expect(await table.countRows("organization_id = ''")).toBe(2);
    await optimizeTable(table, new Mutex(), { ...DEFAULT_MAINTENANCE, vectorIndexFrom: Infinity });
    expect(await table.countRows()).toBe(1);
  });

  it('openOrCreateTable creates the missing indexes of a table whose creation was interrupted', async () => {
    await table.dropIndex('terms_idx');
    await openOrCreateTable(connection, 'fragments', createTableSchema(8));
    expect((await table.listIndices()).flatMap(({ columns }) => columns)).toContain('terms');
  });

  it('an optimization indexes the vectors of a large table, but a search in a small datastore compares all its vectors exactly', async () => {
    const texts = Array.from({ length: 600 }, (_, at) => `text ${String(at)}`);
    await replaceTexts('large', texts);
    const small = createSampleDocument({ organizationId: tenant.organizationId });
    await writer.replaceDocument(createSampleVersion(small, texts.slice(0, 30)));
    await optimizeTable(table, new Mutex(), { ...DEFAULT_MAINTENANCE, vectorIndexFrom: 500 });
    expect((await table.listIndices()).map(({ indexType }) => indexType)).toContain('IvfFlat');
    const search = { vector: createSampleVector('text 7'), limit: 100, vectorIndexFrom: 500 };
    const found = await searchDense(table, createScope(small), search);
    expect(found).toHaveLength(30);
    expect(found[0]?.text).toBe('text 7');
  });
});
