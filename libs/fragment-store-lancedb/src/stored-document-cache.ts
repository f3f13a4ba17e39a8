import type { Table } from '@lancedb/lancedb';
import type { StoredDocument } from '@quarry/fragment-store';
import { readStoredDocuments } from './stored-documents.js';
import type { OpenedTable } from './tables.js';

/**
 * Maximum number of cached documents. If it is exceeded, lookups read the current table until the next optimization.
 */
const MAX_CACHED_DOCUMENTS = 50_000;

interface Written {
  /**
   * Stored version of the document. Undefined after a confirmation or a removal: lookups of the document then read the
   * current table.
   */
  readonly document: StoredDocument | undefined;
  /** Number of optimizations that had started when the document was written. */
  readonly round: number;
}

/**
 * Caches which versions of documents are stored. In the current table, lookups are slow: rows that are not indexed yet
 * are scanned file by file, and every commit adds a file. So lookups read the table as of its last optimization, and
 * the cache adds what the only writer of the table has written since then.
 */
export class StoredDocumentCache {
  #table: Table;
  /** Holds the table as of its last optimization. Undefined: lookups read the current table. */
  #optimized: Table | undefined;
  readonly #written = new Map<string, Written>();
  #round = 0;
  /**
   * Number of times that the cache was cleared. If this number grows during an optimization, the optimized table is not
   * used.
   */
  #timesCleared = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the stored versions of documents, keyed by document id. Documents that are not stored are omitted. */
  async findDocuments(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const optimized = this.#optimized;
    if (optimized === undefined) return readStoredVersions(this.#table, ids);
    const remembered = new Map<string, StoredDocument>();
    const before: string[] = [];
    const unclear: string[] = [];
    for (const id of ids) {
      const written = this.#written.get(id);
      if (written === undefined) before.push(id);
      else if (written.document === undefined) unclear.push(id);
      else remembered.set(id, written.document);
    }
    const found = await Promise.all([
      this.#readFromOptimizedTable(optimized, before),
      readStoredVersions(this.#table, unclear),
    ]);
    return new Map([...found.flatMap((map) => [...map]), ...remembered]);
  }

  /** Records a committed write. @param document the stored version; undefined after a confirmation or a removal */
  recordWrite(id: string, document: StoredDocument | undefined): void {
    this.#written.set(id, { document, round: this.#round });
    if (this.#written.size > MAX_CACHED_DOCUMENTS) this.clearCache();
  }

  /** Clears the cache. Call it if the rows of any document may have changed. */
  clearCache(): void {
    this.#timesCleared += 1;
    this.#optimized = undefined;
    this.#written.clear();
  }

  /**
   * Optimizes the table, and makes lookups read the optimized table. Documents may be written during the optimization.
   *
   * @param optimizeTable optimizes the table and opens the optimized table
   */
  async renewFromTable(optimizeTable: () => Promise<OpenedTable>): Promise<void> {
    const timesCleared = this.#timesCleared;
    this.#round += 1;
    const round = this.#round;
    const { table, snapshot } = await optimizeTable();
    this.#table = table;
    if (timesCleared !== this.#timesCleared) return;
    this.#optimized = snapshot;
    for (const [id, written] of this.#written) if (written.round < round) this.#written.delete(id);
  }

  /**
   * Reads stored versions from the table as of its last optimization. If this table version was deleted, clears the
   * cache and reads the current table.
   */
  async #readFromOptimizedTable(
    optimized: Table,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, StoredDocument>> {
    try {
      return await readStoredVersions(optimized, ids);
    } catch {
      this.clearCache();
      return readStoredVersions(this.#table, ids);
    }
  }
}

function readStoredVersions(table: Table, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
  return ids.length === 0 ? Promise.resolve(new Map()) : readStoredDocuments(table, ids);
}
