import { type Connection, type Table } from '@lancedb/lancedb';
import { computeDocumentId } from '@quarry/fragment-store';
import { createSampleDocument, createSampleVersion } from '@quarry/fragment-store/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildEqualsCondition } from './filters.js';
import { StoredDocumentCache } from './stored-document-cache.js';
import { DEFAULT_MAINTENANCE } from './maintenance.js';
import { RemovedDocuments } from './removed-documents.js';
import { createStoredDocument } from './rows.js';
import { createTableSchema } from './table-schema.js';
import { readStoredDocuments } from './stored-documents.js';
import { TableWriter } from './table-writer.js';
import { type OpenedTable, openOrCreateTable, reopenTable } from './tables.js';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/open-temporary-database.js';

/** Policy that optimizes a table after each commit, and so concurrently with writes. */
const ALWAYS = { ...DEFAULT_MAINTENANCE, commits: 1, pauseFactor: 0 };
const KEYS = ['a', 'b', 'c'];

const key = fc.constantFrom(...KEYS);
const generation = fc.integer({ min: 1, max: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('replace'), key, generation, fragments: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('confirm'), key, generation }),
  fc.record({ kind: fc.constant('remove'), key, generation }),
  fc.record({ kind: fc.constant('remove-owned'), key }),
);

const UNRECORDED = { recordUnoptimized: () => Promise.resolve(), recordOptimized: () => Promise.resolve() };

describe('the cache of stored documents', () => {
  let database: TemporaryDatabase;
  let connection: Connection;
  beforeEach(async () => {
    database = await openTemporaryDatabase();
    ({ connection } = database);
  });
  afterEach(async () => {
    await database.remove();
  });
  const openTable = async (name: string): Promise<{ table: Table; writer: TableWriter }> => {
    const schema = createTableSchema(8);
    const table = await openOrCreateTable(connection, name, schema);
    const reopen = (): Promise<OpenedTable> => reopenTable(connection, name);
    const writer = await TableWriter.openWriter(
      { table, schema, reopen, removed: new RemovedDocuments(), state: UNRECORDED },
      ALWAYS,
      (error) => {
        throw error;
      },
    );
    return { table, writer };
  };

  it('after any writes and concurrent optimizations, the cache of stored documents returns the same documents as the table', async () => {
    let tables = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { table, writer } = await openTable(`t${String((tables += 1))}`);
        const tenant = createSampleDocument();
        const documents = KEYS.map((documentKey) => ({ ...tenant, documentKey }));
        for (const currentStep of steps) {
          const document = { ...tenant, documentKey: currentStep.key };
          const id = computeDocumentId(document);
          if (currentStep.kind === 'remove')
            await writer.addWrite({ kind: 'remove', document: id, upTo: currentStep.generation });
          else if (currentStep.kind === 'remove-owned')
            await writer.addWrite({ kind: 'remove-owned', condition: buildEqualsCondition('document_id', id) });
          else if (currentStep.kind === 'confirm') {
            const contentHash = (await writer.getStoredDocument(id))?.contentHash ?? '';
            await writer.addWrite({
              kind: 'confirm',
              document: id,
              found: { generation: currentStep.generation, contentHash },
            });
          } else {
            const texts = Array.from({ length: currentStep.fragments }, (_, at) => `text ${String(at)}`);
            const version = createSampleVersion(document, texts, { generation: currentStep.generation });
            await writer.replaceDocument(version);
          }
          const ids = documents.map(computeDocumentId);
          const stored = await readStoredDocuments(table, ids);
          for (const one of ids) expect(await writer.getStoredDocument(one)).toEqual(stored.get(one));
          const slots = (await table.query().select(['slot']).toArray()) as { readonly slot: string }[];
          expect(new Set(slots.map(({ slot }) => slot)).size).toBe(slots.length);
        }
        await writer.closeWriter();
      }),
      { numRuns: 25 },
    );
  });

  it('the cache of stored documents includes the writes and removals that are committed while it opens the optimized table', async () => {
    const { table, writer } = await openTable('fragments');
    const [written, removed] = ['written', 'removed'].map((documentKey) =>
      createSampleVersion(createSampleDocument({ documentKey }), ['x']),
    );
    if (written === undefined || removed === undefined) throw new Error('expected two document versions, found fewer');
    await writer.replaceDocument(removed);
    const reopenAnd = (change: () => Promise<void>) => async (): Promise<OpenedTable> => {
      const opened = await reopenTable(connection, 'fragments');
      await change();
      return opened;
    };

    const recording = new StoredDocumentCache(table);
    await recording.renewFromTable(
      reopenAnd(async () => {
        await writer.replaceDocument(written);
        recording.recordWrite(computeDocumentId(written), createStoredDocument(written));
      }),
    );
    expect((await recording.findDocuments([computeDocumentId(written)])).size).toBe(1);

    const cleared = new StoredDocumentCache(table);
    await cleared.renewFromTable(
      reopenAnd(async () => {
        await writer.addWrite({
          kind: 'remove-owned',
          condition: buildEqualsCondition('document_id', computeDocumentId(removed)),
        });
        cleared.clearCache();
      }),
    );
    expect((await cleared.findDocuments([computeDocumentId(removed)])).size).toBe(0);
    await writer.closeWriter();
  });

  it('if the optimized version of a table was deleted, the cache of stored documents reads the current version', async () => {
    const { table, writer } = await openTable('fragments');
    const version = createSampleVersion(createSampleDocument(), ['heron']);
    await writer.replaceDocument(version);
    const id = computeDocumentId(version);
    const known = new StoredDocumentCache(table);
    await known.renewFromTable(async () => {
      const opened = await reopenTable(connection, 'fragments');
      opened.snapshot.close();
      return opened;
    });
    expect((await known.findDocuments([id])).get(id)).toMatchObject({ fragments: 1 });
    await writer.closeWriter();
  });
});
