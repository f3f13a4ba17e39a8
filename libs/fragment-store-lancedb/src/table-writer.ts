import type { Table } from '@lancedb/lancedb';
import { documentId, type DocumentVersion, type StoredDocument } from '@quarry/fragment-store';
import { Batcher } from '@quarry/batching';
import type { Schema } from 'apache-arrow';
import { isOneOf } from './filters.js';
import { KnownDocuments } from './known-documents.js';
import { Maintenance, type MaintenancePolicy } from './maintenance.js';
import { Mutex } from './mutex.js';
import type { RemovedDocuments } from './removed-documents.js';
import { arrowTable, rowsOf, storedVersion, termsOfFragments, type Replacement } from './rows.js';
import { tidyUp } from './tidy-up.js';
import {
  confirmationOf,
  confirmedDocuments,
  documentRemovalsOf,
  newBatch,
  removalConditions,
  replacementsOf,
  type Confirmation,
  type DocumentRemoval,
  type Write,
} from './writes.js';

type Report = (error: unknown) => void;

/** Nobody notices that a document is found so much later. */
const WAIT_MS = 40;

/** The table a writer writes into. */
export interface WrittenTable {
  readonly table: Table;
  readonly schema: Schema;
  /** Opens the table once more, to stay at the version it has then. */
  readonly snapshot: () => Promise<Table>;
  /** Whoever removes a document notes it here before it writes the removal. */
  readonly removed: RemovedDocuments;
}

/** The one writer of a table. What it resolves is on disk, in one commit with whatever was written beside it. */
export class TableWriter {
  readonly #table: Table;
  readonly #known: KnownDocuments;
  readonly #removed: RemovedDocuments;
  readonly #schema: Schema;
  readonly #queue = new Batcher<Write>({
    commit: (batch) => this.#commit(batch),
    newBatch,
    lingerMs: WAIT_MS,
  });
  /** Held while rows that exist are changed or moved: two of these at once would be a conflict, and one of them lost. */
  readonly #rewriting = new Mutex();
  readonly #maintenance: Maintenance;

  private constructor({ table, schema, snapshot, removed }: WrittenTable, policy: MaintenancePolicy, report: Report) {
    this.#table = table;
    this.#schema = schema;
    this.#removed = removed;
    const known = new KnownDocuments(table, snapshot);
    const tidy = (): Promise<void> => tidyUp(table, this.#rewriting, policy);
    this.#maintenance = new Maintenance(() => known.renew(tidy), policy, report);
    this.#known = known;
  }

  /** @param report hears why a run of maintenance failed */
  static async open(written: WrittenTable, policy: MaintenancePolicy, report: Report): Promise<TableWriter> {
    const writer = new TableWriter(written, policy, report);
    await writer.#known.renew(() => Promise.resolve());
    return writer;
  }

  /** What is stored of a document, with all that is written. */
  async describe(id: string): Promise<StoredDocument | undefined> {
    return (await this.#known.find([id])).get(id);
  }

  /** @param version takes the place of an older one; is left out where a newer one is stored */
  async replace(version: DocumentVersion): Promise<void> {
    await this.#queue.add({ kind: 'replace', version, terms: await termsOfFragments(version) });
  }

  write(write: Exclude<Write, Replacement>): Promise<void> {
    return this.#queue.add(write);
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#maintenance.stop();
    this.#table.close();
  }

  async #commit(batch: readonly Write[]): Promise<void> {
    const removals = documentRemovalsOf(batch);
    const owned = removalConditions(batch);
    const confirmation = confirmationOf(batch);
    if (removals.length > 0) await this.#remove(removals);
    else if (owned.length > 0) await this.#removeOwned(owned);
    else if (confirmation !== undefined) await this.#confirm(confirmation, confirmedDocuments(batch));
    else await this.#replace(replacementsOf(batch));
  }

  /** No other commit is under way: what is read here is still so when it is deleted. */
  async #remove(removals: readonly DocumentRemoval[]): Promise<void> {
    const stored = await this.#known.find(removals.map(({ document }) => document));
    const removed = removals.flatMap(({ document, upTo }) => {
      const generation = stored.get(document)?.generation;
      return generation !== undefined && generation <= upTo ? [document] : [];
    });
    if (removed.length === 0) return;
    try {
      await this.#rewriting.run(() => this.#table.delete(isOneOf('document_id', removed)));
    } finally {
      for (const id of removed) this.#known.note(id, undefined);
    }
    this.#maintenance.noteCommit(0);
  }

  async #removeOwned(conditions: readonly string[]): Promise<void> {
    try {
      await this.#rewriting.run(() => this.#table.delete(conditions.join(' OR ')));
    } finally {
      this.#known.forget();
    }
    this.#maintenance.noteCommit(0);
  }

  async #confirm({ condition, generation }: Confirmation, documents: readonly string[]): Promise<void> {
    try {
      await this.#rewriting.run(() => this.#table.update({ where: condition, values: { generation } }));
    } finally {
      for (const id of documents) this.#known.note(id, undefined);
    }
    this.#maintenance.noteCommit(0);
  }

  async #replace(replacements: readonly Replacement[]): Promise<void> {
    const stored = await this.#known.find(replacements.map(({ version }) => documentId(version)));
    const current = replacements.filter(({ version }) => {
      const id = documentId(version);
      const before = stored.get(id)?.generation ?? 0;
      return before <= version.generation && this.#removed.upTo(id) < version.generation;
    });
    const rows = current.flatMap((one) => rowsOf(one, stored.get(documentId(one.version))?.fragments ?? 0));
    if (rows.length === 0) return;
    const data = arrowTable(this.#schema, rows);
    try {
      if (stored.size === 0) await this.#table.add(data);
      else await this.#rewriting.run(() => this.#takeOverSlots(data));
    } catch (error) {
      this.#known.forget();
      throw error;
    }
    for (const { version } of current) this.#known.note(documentId(version), storedVersion(version));
    this.#maintenance.noteCommit(rows.length);
  }

  /** Atomic: a search reads the rows before this commit, or those after it. */
  #takeOverSlots(data: ReturnType<typeof arrowTable>): Promise<unknown> {
    return this.#table.mergeInsert('slot').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data);
  }
}
