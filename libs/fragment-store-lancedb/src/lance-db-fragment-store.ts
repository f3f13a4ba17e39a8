import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { connect, type Connection, type Session, type Table } from '@lancedb/lancedb';
import {
  requireVectorDimensions,
  requireValidVersion,
  DocumentLanguages,
  computeDocumentId,
  type Collection,
  type DocumentRef,
  type DocumentVersion,
  type FoundContent,
  type FragmentListing,
  type FragmentScope,
  type FragmentStore,
  type LexicalQuery,
  type ScoredFragment,
  type StoredDocument,
  type StoredFragment,
} from '@quarry/fragment-store';
import { getDefaultCacheBytes, createSearchSession, createWriterSession } from './caches.js';
import { countLanguages } from './count-languages.js';
import { joinConditions, buildEqualsCondition } from './filters.js';
import { listFragmentsBySlot } from './list-by-slot.js';
import { DEFAULT_MAINTENANCE, type MaintenancePolicy } from './maintenance.js';
import { ProfileCache } from './profile-cache.js';
import { searchDense, searchLexical } from './search.js';
import { SearchedTables } from './searched-tables.js';
import { readStoredDocuments } from './stored-documents.js';
import type { Replacement } from './rows.js';
import { getTableKey, type TableKey } from './table-name.js';
import { TableWriters } from './table-writers.js';
import { RenewedConnection } from './renewed-connection.js';
import type { Write } from './writes.js';

/** Receives warnings about background work that failed and will be retried. */
export interface StoreLog {
  warn(details: object, message: string): void;
}

export interface LanceDbOptions {
  /**
   * Path of the folder, which is created if it does not exist. Only one store can write into the folder, which it
   * locks. Any number of stores can search the folder.
   */
  readonly directory: string;
  /**
   * If true, opening the store locks the folder and upgrades tables of earlier versions of Quarry. Set it for a store
   * that writes.
   */
  readonly upgrade?: boolean;
  /**
   * Size of the index cache for searches, in bytes. If the vector index of a table does not fit into the cache, a
   * search takes four times as long. Default: an eighth of the memory limit of the process, from 64 MiB to 1 GiB.
   */
  readonly cacheBytes?: number | undefined;
  readonly log?: StoreLog;
  readonly maintenance?: Partial<MaintenancePolicy>;
}

/**
 * Opens a LanceDB fragment store inside this process, with a table per collection and organization. The store locks the
 * folder from its first write until it is closed.
 *
 * @throws FolderInUse if `upgrade` is set and another store writes into the folder; without `upgrade`, writes throw
 * FolderInUse
 */
export async function openLanceDbFragmentStore(options: LanceDbOptions): Promise<FragmentStore> {
  await mkdir(options.directory, { recursive: true });
  // With an interval of 0, every read checks for new commits. By default, reads would see a table as it was when it was
  // opened.
  const connectWithSession = (session: Session): Promise<Connection> =>
    connect(options.directory, { readConsistencyInterval: 0, session });
  const cacheBytes = options.cacheBytes ?? getDefaultCacheBytes();
  const policy = { ...DEFAULT_MAINTENANCE, ...options.maintenance };
  const searching = new RenewedConnection(() => connectWithSession(createSearchSession(cacheBytes)));
  const writing = new RenewedConnection(() => connectWithSession(createWriterSession()), policy.renewAfter);
  const writers = new TableWriters({
    directory: options.directory,
    connection: writing,
    policy,
    report: (error, table) => {
      options.log?.warn(
        { err: error, table },
        'failed to optimize a table of the fragment store; the store will retry',
      );
    },
  });
  const store = new LanceDbFragmentStore(options.directory, policy, new SearchedTables(searching, policy), writers);
  if (options.upgrade !== true) return store;
  try {
    await writers.prepareFolderForWriting();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

export class LanceDbFragmentStore implements FragmentStore {
  readonly #directory: string;
  readonly #policy: MaintenancePolicy;
  readonly #searched: SearchedTables;
  readonly #writers: TableWriters;
  readonly #languages = new DocumentLanguages();
  readonly #profiles = new ProfileCache();

  constructor(directory: string, policy: MaintenancePolicy, searched: SearchedTables, writers: TableWriters) {
    this.#directory = directory;
    this.#policy = policy;
    this.#searched = searched;
    this.#writers = writers;
  }

  async readStoredDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined> {
    const id = computeDocumentId(document);
    const key = getTableKey(collection, document.organizationId);
    const described = this.#writers.runWithOpenWriter(key, (writer) => writer.getStoredDocument(id));
    if (described !== undefined) return described;
    const table = await this.#searched.getTable(key.name);
    return table === undefined ? undefined : (await readStoredDocuments(table, [id])).get(id);
  }

  async replaceDocument(collection: Collection, version: DocumentVersion): Promise<void> {
    requireValidVersion(collection, version);
    const key = getTableKey(collection, version.organizationId);
    await this.#writers.runWithWriter(key, (writer) => writer.replaceDocument(version));
    this.#languages.recordWrite(collection, version);
  }

  async confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean> {
    const before = await this.readStoredDocument(collection, document);
    if (before?.contentHash !== found.contentHash) return false;
    if (before.generation >= found.generation) return true;
    const key = getTableKey(collection, document.organizationId);
    const confirmation = { kind: 'confirm', document: computeDocumentId(document), found } as const;
    await this.#writers.runWithWriter(key, (writer) => writer.addWrite(confirmation));
    const after = await this.readStoredDocument(collection, document);
    return after?.contentHash === found.contentHash && after.generation >= found.generation;
  }

  removeDocument(collection: Collection, document: DocumentRef, upTo: number): Promise<void> {
    const id = computeDocumentId(document);
    // The removal is recorded in memory before it is written to the table, so that a pending replacement of the
    // document is not stored afterwards.
    this.#writers.getRemovals(collection).recordRemoval(id, upTo);
    const key = getTableKey(collection, document.organizationId);
    return this.#removeRows(key, { kind: 'remove', document: id, upTo });
  }

  removeDatasource(
    collection: Collection,
    { organizationId, datasourceId }: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void> {
    const condition = joinConditions(
      buildEqualsCondition('organization_id', organizationId),
      buildEqualsCondition('datasource_id', datasourceId),
    );
    return this.#removeRows(getTableKey(collection, organizationId), { kind: 'remove-owned', condition });
  }

  removeDatastore(
    collection: Collection,
    { organizationId, datastoreId }: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void> {
    const condition = joinConditions(
      buildEqualsCondition('organization_id', organizationId),
      buildEqualsCondition('datastore_id', datastoreId),
    );
    return this.#removeRows(getTableKey(collection, organizationId), { kind: 'remove-owned', condition });
  }

  async searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    requireVectorDimensions(collection, vector);
    const table = await this.#findSearchedTable(collection, scope);
    if (table === undefined || collection.embedding === null) return [];
    const { vectorIndexFrom } = this.#policy;
    return searchDense(table, scope, { vector, limit, vectorIndexFrom });
  }

  async searchLexical(
    collection: Collection,
    scope: FragmentScope,
    { text, vector }: LexicalQuery,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    if (vector !== undefined) requireVectorDimensions(collection, vector);
    const table = await this.#findSearchedTable(collection, scope);
    if (table === undefined) return [];
    const languages = await this.#listLanguages(table, collection, scope);
    return searchLexical(table, scope, { text, languages, vector, limit, profiles: this.#profiles });
  }

  async findLanguages(collection: Collection, scope: FragmentScope): Promise<readonly string[]> {
    const table = await this.#findSearchedTable(collection, scope);
    return table === undefined ? [] : this.#listLanguages(table, collection, scope);
  }

  async listFragments(collection: Collection, listing: FragmentListing): Promise<readonly StoredFragment[]> {
    const table = await this.#findSearchedTable(collection, listing);
    return table === undefined ? [] : listFragmentsBySlot(table, listing);
  }

  async ping(): Promise<void> {
    await access(this.#directory, constants.R_OK | constants.W_OK);
  }

  async close(): Promise<void> {
    await this.#writers.closeWriters();
    await this.#searched.closeTables();
  }

  /** Returns the table of an organization for searches, which do not wait for the writer of the table. */
  #findSearchedTable(
    collection: Collection,
    { organizationId }: Pick<FragmentScope, 'organizationId'>,
  ): Promise<Table | undefined> {
    return this.#searched.getTable(getTableKey(collection, organizationId).name);
  }

  #listLanguages(table: Table, collection: Collection, scope: FragmentScope): Promise<readonly string[]> {
    return this.#languages.findLanguages(collection, scope, (datastoreId) => countLanguages(table, scope, datastoreId));
  }

  async #removeRows(key: TableKey, removal: Exclude<Write, Replacement>): Promise<void> {
    await this.#writers.prepareFolderForWriting();
    // While the writer of a table is being opened for the first write, the removal waits for the writer.
    const removed = this.#writers.runWithOpenWriter(key, (writer) => writer.addWrite(removal));
    if (removed !== undefined) return removed;
    // Only an existing table is opened: if nothing was written, there is nothing to remove, and no table should be
    // created.
    if ((await this.#searched.getTable(key.name)) === undefined) return;
    await this.#writers.runWithWriter(key, (writer) => writer.addWrite(removal));
  }
}
