import type { Table } from '@lancedb/lancedb';
import { documentId, type DocumentVersion } from '@quarry/fragment-store';
import type { Schema } from 'apache-arrow';
import { Maintenance, type MaintenancePolicy } from './maintenance.js';
import { Mutex } from './mutex.js';
import { arrowTable, rowsOf } from './rows.js';
import { storedDocuments } from './stored-documents.js';
import { tidyUp } from './tidy-up.js';
import { WriteQueue } from './write-queue.js';
import {
  confirmationOf,
  newBatch,
  removalConditions,
  replacedVersions,
  type Confirmation,
  type Write,
} from './writes.js';

/** The one writer of a table. What it resolves is on disk, in one commit with whatever was written beside it. */
export class TableWriter {
  readonly #table: Table;
  readonly #schema: Schema;
  readonly #queue = new WriteQueue<Write>((batch) => this.#commit(batch), newBatch);
  /** Held while rows that exist are changed or moved: two of these at once would be a conflict, and one of them lost. */
  readonly #rewriting = new Mutex();
  readonly #maintenance: Maintenance;

  /** @param report hears why a run of maintenance failed */
  constructor(table: Table, schema: Schema, policy: MaintenancePolicy, report: (error: unknown) => void) {
    this.#table = table;
    this.#schema = schema;
    this.#maintenance = new Maintenance(() => tidyUp(table, this.#rewriting, policy.vectorIndexFrom), policy, report);
  }

  write(write: Write): Promise<void> {
    return this.#queue.add(write);
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#maintenance.stop();
  }

  async #commit(batch: readonly Write[]): Promise<void> {
    const removals = removalConditions(batch);
    const confirmation = confirmationOf(batch);
    if (removals.length > 0) await this.#remove(removals);
    else if (confirmation !== undefined) await this.#confirm(confirmation);
    else await this.#replace(replacedVersions(batch));
  }

  async #remove(conditions: readonly string[]): Promise<void> {
    await this.#rewriting.run(() => this.#table.delete(conditions.join(' OR ')));
    this.#maintenance.noteCommit(0);
  }

  async #confirm({ condition, generation }: Confirmation): Promise<void> {
    await this.#rewriting.run(() => this.#table.update({ where: condition, values: { generation } }));
    this.#maintenance.noteCommit(0);
  }

  async #replace(versions: readonly DocumentVersion[]): Promise<void> {
    const stored = await storedDocuments(this.#table, versions.map(documentId));
    const rows = versions.flatMap((version) => {
      const before = stored.get(documentId(version));
      const outdated = before !== undefined && before.generation > version.generation;
      return outdated ? [] : rowsOf(version, before?.fragments ?? 0);
    });
    if (rows.length === 0) return;
    const data = arrowTable(this.#schema, rows);
    if (stored.size === 0) await this.#table.add(data);
    else await this.#rewriting.run(() => this.#takeOverSlots(data));
    this.#maintenance.noteCommit(rows.length);
  }

  /** Atomic: a search reads the rows before this commit, or those after it. */
  #takeOverSlots(data: ReturnType<typeof arrowTable>): Promise<unknown> {
    return this.#table.mergeInsert('slot').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data);
  }
}
