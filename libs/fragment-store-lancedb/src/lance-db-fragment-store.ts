import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { DirectoryLock } from '@quarry/directory-lock';
import { connect, type Connection, type Session, type Table } from '@lancedb/lancedb';
import {
  checkVector,
  checkVersion,
  getCollectionName,
  computeDocumentId,
  type Collection,
  type DocumentRef,
  type DocumentVersion,
  type FoundContent,
  type FragmentScope,
  type FragmentStore,
  type ScoredFragment,
  type StoredDocument,
} from '@quarry/fragment-store';
import { lockForWriting } from './writer-lock.js';
import { getDefaultCacheBytes, createSearchSession, createWriterSession } from './caches.js';
import { joinConditions, buildEqualsCondition } from './filters.js';
import { DEFAULT_MAINTENANCE, type MaintenancePolicy } from './maintenance.js';
import { createSchema } from './table-schema.js';
import { searchDense, searchLexical } from './search.js';
import { SearchedTables } from './searched-tables.js';
import { readStoredDocuments } from './stored-documents.js';
import { RemovedDocuments } from './removed-documents.js';
import type { Replacement } from './rows.js';
import { TableWriter } from './table-writer.js';
import { type OpenedTable, prepareTable, reopenTable, upgradeTables } from './tables.js';
import { RenewedConnection } from './renewed-connection.js';
import type { Write } from './writes.js';

/** Receives warnings about background work that failed and will be retried. */
export interface StoreLog {
  warn(details: object, message: string): void;
}

export interface LanceDbOptions {
  /**
   * Path of the folder, which is created if it does not exist. Only one store can write into it and locks it; any
   * number can search it.
   */
  readonly directory: string;
  /** Prepares the store for writing: it locks the folder at once and upgrades tables of earlier versions. */
  readonly upgrade?: boolean;
  /**
   * Size of the index cache for searches, in bytes. If an index of vectors does not fit, a search takes four times as
   * long. Default: an eighth of the memory, at most 1 GiB.
   */
  readonly cacheBytes?: number | undefined;
  readonly log?: StoreLog;
  readonly maintenance?: Partial<MaintenancePolicy>;
}

/**
 * Opens a LanceDB fragment store inside this process, with a table per collection. It locks the folder from its first
 * write until it is closed.
 *
 * @throws FolderInUse if `upgrade` is set and another store writes into the folder; otherwise writes throw it
 */
export async function openLanceDbFragmentStore(options: LanceDbOptions): Promise<FragmentStore> {
  await mkdir(options.directory, { recursive: true });
  // 0 makes every read check for new commits. Otherwise reads would see the table as of its opening.
  const connectTo = (session: Session): Promise<Connection> =>
    connect(options.directory, { readConsistencyInterval: 0, session });
  const cacheBytes = options.cacheBytes ?? getDefaultCacheBytes();
  const { renewAfter } = { ...DEFAULT_MAINTENANCE, ...options.maintenance };
  const searching = new RenewedConnection(() => connectTo(createSearchSession(cacheBytes)));
  const writing = new RenewedConnection(() => connectTo(createWriterSession()), renewAfter);
  const store = new LanceDbFragmentStore({ searching, writing }, options);
  if (options.upgrade !== true) return store;
  try {
    await store.upgradeTables();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Describes two connections to the same folder. */
interface Connections {
  readonly searching: RenewedConnection;
  readonly writing: RenewedConnection;
}

class LanceDbFragmentStore implements FragmentStore {
  readonly #writing: RenewedConnection;
  readonly #searched: SearchedTables;
  readonly #options: LanceDbOptions;
  readonly #policy: MaintenancePolicy;
  readonly #removed = new Map<string, RemovedDocuments>();
  #writerLock: DirectoryLock | undefined;
  readonly #writers = new Map<string, Promise<TableWriter>>();

  constructor({ searching, writing }: Connections, options: LanceDbOptions) {
    this.#options = options;
    this.#policy = { ...DEFAULT_MAINTENANCE, ...options.maintenance };
    this.#searched = new SearchedTables(searching, this.#policy);
    this.#writing = writing;
  }

  async upgradeTables(): Promise<void> {
    this.#acquireLock();
    await upgradeTables(await this.#writing.getConnection());
  }

  async describeDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined> {
    const id = computeDocumentId(document);
    const writer = await this.#writers.get(getCollectionName(collection));
    if (writer !== undefined) return writer.describeDocument(id);
    const table = await this.#openTable(collection);
    return table === undefined ? undefined : (await readStoredDocuments(table, [id])).get(id);
  }

  async replaceDocument(collection: Collection, version: DocumentVersion): Promise<void> {
    checkVersion(collection, version);
    const writer = await this.#getWriter(collection);
    await writer.replaceDocument(version);
  }

  async confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean> {
    const before = await this.describeDocument(collection, document);
    if (before?.contentHash !== found.contentHash) return false;
    if (before.generation >= found.generation) return true;
    const writer = await this.#getWriter(collection);
    await writer.addWrite({ kind: 'confirm', document: computeDocumentId(document), found });
    const after = await this.describeDocument(collection, document);
    return after?.contentHash === found.contentHash && after.generation >= found.generation;
  }

  removeDocument(collection: Collection, document: DocumentRef, upTo: number): Promise<void> {
    // Recorded first, so that a pending replacement cannot be stored after the removal.
    this.#getRemovals(collection).recordRemoval(computeDocumentId(document), upTo);
    return this.#removeRows(collection, { kind: 'remove', document: computeDocumentId(document), upTo });
  }

  removeDatasource(
    collection: Collection,
    { organizationId, datasourceId }: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void> {
    const condition = joinConditions(
      buildEqualsCondition('organization_id', organizationId),
      buildEqualsCondition('datasource_id', datasourceId),
    );
    return this.#removeRows(collection, { kind: 'remove-owned', condition });
  }

  removeDatastore(
    collection: Collection,
    { organizationId, datastoreId }: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void> {
    const condition = joinConditions(
      buildEqualsCondition('organization_id', organizationId),
      buildEqualsCondition('datastore_id', datastoreId),
    );
    return this.#removeRows(collection, { kind: 'remove-owned', condition });
  }

  async searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    checkVector(collection, vector);
    const table = await this.#openTable(collection);
    if (table === undefined || collection.embedding === null) return [];
    const { vectorIndexFrom } = this.#policy;
    return searchDense(table, scope, { vector, limit, vectorIndexFrom });
  }

  async searchLexical(
    collection: Collection,
    scope: FragmentScope,
    text: string,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    const table = await this.#openTable(collection);
    return table === undefined ? [] : searchLexical(table, scope, text, limit);
  }

  async ping(): Promise<void> {
    await access(this.#options.directory, constants.R_OK | constants.W_OK);
  }

  async close(): Promise<void> {
    for (const writer of this.#writers.values()) await (await writer).closeWriter();
    await this.#searched.closeTables();
    await this.#writing.close();
    this.#writerLock?.release();
  }

  #acquireLock(): void {
    this.#writerLock ??= lockForWriting(this.#options.directory);
  }

  async #removeRows(collection: Collection, removal: Exclude<Write, Replacement>): Promise<void> {
    // If nothing was written, there is nothing to remove, and no table should be created.
    if ((await this.#openTable(collection)) === undefined) return;
    const writer = await this.#getWriter(collection);
    await writer.addWrite(removal);
  }

  async #openTable(collection: Collection): Promise<Table | undefined> {
    const name = getCollectionName(collection);
    await this.#writers.get(name);
    return this.#searched.getTable(name);
  }

  #getRemovals(collection: Collection): RemovedDocuments {
    const name = getCollectionName(collection);
    const removed = this.#removed.get(name) ?? new RemovedDocuments();
    this.#removed.set(name, removed);
    return removed;
  }

  #getWriter(collection: Collection): Promise<TableWriter> {
    const name = getCollectionName(collection);
    const writer = this.#writers.get(name) ?? this.#openWriter(collection, name);
    this.#writers.set(name, writer);
    writer.catch(() => this.#writers.delete(name));
    return writer;
  }

  async #openWriter(collection: Collection, name: string): Promise<TableWriter> {
    this.#acquireLock();
    const schema = createSchema(collection.embedding?.dimensions ?? null);
    const table = await prepareTable(await this.#writing.getConnection(), name, schema);
    const reopen = async (): Promise<OpenedTable> => reopenTable(await this.#writing.getConnection(), name);
    const removed = this.#getRemovals(collection);
    return TableWriter.openWriter({ table, schema, reopen, removed }, this.#policy, (error) => {
      this.#options.log?.warn(
        { err: error, table: name },
        'failed to optimize a table of the fragment store; the store will retry',
      );
    });
  }
}
