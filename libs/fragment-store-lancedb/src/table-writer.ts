import type { Table } from '@lancedb/lancedb';
import { computeDocumentId, type DocumentVersion, type StoredDocument } from '@quarry/fragment-store';
import { Batcher } from '@quarry/batching';
import type { Schema } from 'apache-arrow';
import { buildInCondition } from './filters.js';
import { StoredDocumentCache } from './stored-document-cache.js';
import { Maintenance, type MaintenancePolicy } from './maintenance.js';
import { Mutex } from './mutex.js';
import { OptimizationRecord, type RecordedState } from './optimization-record.js';
import type { RemovedDocuments } from './removed-documents.js';
import {
  buildArrowTable,
  buildReplacementRows,
  createStoredDocument,
  analyzeFragments,
  type Replacement,
} from './rows.js';
import { optimizeTable } from './optimize-table.js';
import type { OpenedTable } from './tables.js';
import {
  buildConfirmation,
  selectConfirmedDocuments,
  selectDocumentRemovals,
  createBatchAdmission,
  selectRemovalConditions,
  selectReplacements,
  type Confirmation,
  type DocumentRemoval,
  type Write,
} from './writes.js';

type Report = (error: unknown) => void;

/** Milliseconds for which a commit waits for further concurrent writes. Users do not notice the delay. */
const LINGER_MS = 200;
/**
 * Number of waiting writes at which a commit starts immediately: half of the documents that a worker indexes
 * at a time.
 */
const ENOUGH_WRITES = 6;

/** Describes the table that a `TableWriter` writes. */
export interface WrittenTable {
  readonly table: Table;
  readonly schema: Schema;
  /** Opens the table again after an optimization, so that files of deleted versions can be closed. */
  readonly reopen: () => Promise<OpenedTable>;
  /**
   * Holds the removed documents of the collection. A removal is recorded in it before the removal is written to the
   * table.
   */
  readonly removed: RemovedDocuments;
  /** Records whether the table has to be optimized. */
  readonly state: RecordedState;
}

/**
 * Writes a table as its only writer. The promise of a write resolves when the write is on disk. Concurrent writes share
 * a commit.
 */
export class TableWriter {
  #table: Table;
  readonly #stored: StoredDocumentCache;
  readonly #removed: RemovedDocuments;
  readonly #schema: Schema;
  readonly #reopen: () => Promise<OpenedTable>;
  readonly #queue = new Batcher<Write>({
    commit: (batch) => this.#record.runCommit(() => this.#commitBatch(batch)),
    createAdmission: createBatchAdmission,
    lingerMs: LINGER_MS,
    enoughWrites: ENOUGH_WRITES,
  });
  /** Serializes changes of existing rows: of two concurrent changes, one would fail with a conflict. */
  readonly #rewriting = new Mutex();
  readonly #record: OptimizationRecord;
  readonly #maintenance: Maintenance;

  private constructor(
    { table, schema, reopen, removed, state }: WrittenTable,
    policy: MaintenancePolicy,
    report: Report,
  ) {
    this.#table = table;
    this.#schema = schema;
    this.#reopen = reopen;
    this.#removed = removed;
    this.#record = new OptimizationRecord(state);
    const stored = new StoredDocumentCache(table);
    const optimizeWrittenTable = async (): Promise<boolean> => {
      let hasOldVersions = true;
      await stored.renewFromTable(async () => {
        hasOldVersions = await this.#record.runOptimization(() => optimizeTable(this.#table, this.#rewriting, policy));
        return this.#reopenTable();
      });
      return hasOldVersions;
    };
    this.#maintenance = new Maintenance(optimizeWrittenTable, policy, report);
    this.#stored = stored;
  }

  /** Opens the writer of a table. @param report receives the error of each failed optimization */
  static async openWriter(written: WrittenTable, policy: MaintenancePolicy, report: Report): Promise<TableWriter> {
    const writer = new TableWriter(written, policy, report);
    await writer.#stored.renewFromTable(() => writer.#reopenTable());
    return writer;
  }

  /** Returns the stored version of a document, including all committed writes. */
  async getStoredDocument(id: string): Promise<StoredDocument | undefined> {
    return (await this.#stored.findDocuments([id])).get(id);
  }

  /** Stores a version in place of an older version. Has no effect if a newer version is stored. */
  async replaceDocument(version: DocumentVersion): Promise<void> {
    await this.#queue.addWrite({ kind: 'replace', version, ...(await analyzeFragments(version)) });
  }

  addWrite(write: Exclude<Write, Replacement>): Promise<void> {
    return this.#queue.addWrite(write);
  }

  /** Optimizes the table now. */
  optimizeNow(): Promise<void> {
    return this.#maintenance.runNow();
  }

  /**
   * Closes the writer after all writes are committed and scheduled optimizations have run.
   *
   * @returns true if the table is optimized but may still have old versions
   */
  async finishMaintenanceAndClose(): Promise<boolean> {
    await this.#queue.waitUntilIdle();
    const hasOldVersions = await this.#maintenance.finishRuns();
    this.#table.close();
    return hasOldVersions;
  }

  /** Closes the writer after all writes are committed, without a further optimization. */
  async closeWriter(): Promise<void> {
    await this.#queue.waitUntilIdle();
    await this.#maintenance.stopRuns();
    this.#table.close();
  }

  /** Opens the table again for further writes. Writes in progress continue with the previously opened table. */
  async #reopenTable(): Promise<OpenedTable> {
    const opened = await this.#reopen();
    this.#table = opened.table;
    return opened;
  }

  async #commitBatch(batch: readonly Write[]): Promise<void> {
    const removals = selectDocumentRemovals(batch);
    const owned = selectRemovalConditions(batch);
    const confirmation = buildConfirmation(batch);
    if (removals.length > 0) await this.#removeDocuments(removals);
    else if (owned.length > 0) await this.#removeRowsOfOwners(owned);
    else if (confirmation !== undefined) await this.#confirmDocuments(confirmation, selectConfirmedDocuments(batch));
    else await this.#replaceDocuments(selectReplacements(batch));
  }

  /**
   * Removes documents. No other commit is active, so a document does not change between the read of its generation and
   * its deletion.
   */
  async #removeDocuments(removals: readonly DocumentRemoval[]): Promise<void> {
    const stored = await this.#stored.findDocuments(removals.map(({ document }) => document));
    const removed = removals.flatMap(({ document, upTo }) => {
      const generation = stored.get(document)?.generation;
      return generation !== undefined && generation <= upTo ? [document] : [];
    });
    if (removed.length === 0) return;
    try {
      await this.#rewriting.runExclusively(() => this.#table.delete(buildInCondition('document_id', removed)));
    } finally {
      for (const id of removed) this.#stored.recordWrite(id, undefined);
    }
    this.#maintenance.recordCommit(0);
  }

  async #removeRowsOfOwners(conditions: readonly string[]): Promise<void> {
    try {
      await this.#rewriting.runExclusively(() => this.#table.delete(conditions.join(' OR ')));
    } finally {
      this.#stored.clearCache();
    }
    this.#maintenance.recordCommit(0);
  }

  async #confirmDocuments({ condition, generation }: Confirmation, documents: readonly string[]): Promise<void> {
    try {
      await this.#rewriting.runExclusively(() => this.#table.update({ where: condition, values: { generation } }));
    } finally {
      for (const id of documents) this.#stored.recordWrite(id, undefined);
    }
    this.#maintenance.recordCommit(0);
  }

  async #replaceDocuments(replacements: readonly Replacement[]): Promise<void> {
    const stored = await this.#stored.findDocuments(replacements.map(({ version }) => computeDocumentId(version)));
    const current = replacements.filter(({ version }) => {
      const id = computeDocumentId(version);
      const before = stored.get(id)?.generation ?? 0;
      return before <= version.generation && this.#removed.getRemovedGeneration(id) < version.generation;
    });
    const rows = current.flatMap((one) =>
      buildReplacementRows(one, stored.get(computeDocumentId(one.version))?.fragments ?? 0),
    );
    if (rows.length === 0) return;
    const data = buildArrowTable(this.#schema, rows);
    try {
      if (stored.size === 0) await this.#table.add(data);
      else await this.#rewriting.runExclusively(() => this.#overwriteSlotRows(data));
    } catch (error) {
      this.#stored.clearCache();
      throw error;
    }
    for (const { version } of current)
      this.#stored.recordWrite(computeDocumentId(version), createStoredDocument(version));
    this.#maintenance.recordCommit(rows.length);
  }

  /** Overwrites slots atomically: a search sees the rows either before or after this commit. */
  #overwriteSlotRows(data: ReturnType<typeof buildArrowTable>): Promise<unknown> {
    return this.#table.mergeInsert('slot').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data);
  }
}
