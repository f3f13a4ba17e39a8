import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { connect, type Connection, type Session, type Table } from '@lancedb/lancedb';
import {
  checkVector,
  checkVersion,
  collectionName,
  documentId,
  type Collection,
  type DocumentRef,
  type DocumentVersion,
  type FoundContent,
  type FragmentScope,
  type FragmentStore,
  type ScoredFragment,
  type StoredDocument,
} from '@quarry/fragment-store';
import { defaultCacheBytes, searchSession, writerSession } from './caches.js';
import { both, equals } from './filters.js';
import { DEFAULT_MAINTENANCE, type MaintenancePolicy } from './maintenance.js';
import { schemaOf } from './schema.js';
import { searchDense, searchLexical } from './search.js';
import { storedDocuments } from './stored-documents.js';
import { TableWriter } from './table-writer.js';
import { openSnapshot, openTable, prepareTable, upgradeTables } from './tables.js';

/** Hears of work in the background that failed and will be tried again. */
export interface StoreLog {
  warn(details: object, message: string): void;
}

export interface LanceDbOptions {
  /** Made if it is not there. At any time one store writes into it; any number may search it. */
  readonly directory: string;
  /** For the store that writes: what another version made is first brought up to what this one needs. */
  readonly upgrade?: boolean;
  /**
   * How much of the indexes is kept in memory to be searched, in bytes. Where an index of vectors does not fit into it, a search
   * takes four times as long. An eighth of the memory unless said otherwise, and 1 GiB at most.
   */
  readonly cacheBytes?: number | undefined;
  readonly log?: StoreLog;
  readonly maintenance?: Partial<MaintenancePolicy>;
}

/** Fragments in LanceDB, inside this process: a table per collection. */
export async function openLanceDbFragmentStore(options: LanceDbOptions): Promise<FragmentStore> {
  await mkdir(options.directory, { recursive: true });
  // Zero: every read looks for what was committed meanwhile. Otherwise it would see the table as it was when it was opened.
  const open = (session: Session): Promise<Connection> =>
    connect(options.directory, { readConsistencyInterval: 0, session });
  const searching = await open(searchSession(options.cacheBytes ?? defaultCacheBytes()));
  const writing = await open(writerSession());
  if (options.upgrade === true) await upgradeTables(writing);
  return new LanceDbFragmentStore({ searching, writing }, options);
}

/** To the same folder. */
interface Connections {
  readonly searching: Connection;
  readonly writing: Connection;
}

class LanceDbFragmentStore implements FragmentStore {
  readonly #connections: Connections;
  readonly #options: LanceDbOptions;
  readonly #policy: MaintenancePolicy;
  readonly #tables = new Map<string, Table>();
  readonly #writers = new Map<string, Promise<TableWriter>>();

  constructor(connections: Connections, options: LanceDbOptions) {
    this.#connections = connections;
    this.#options = options;
    this.#policy = { ...DEFAULT_MAINTENANCE, ...options.maintenance };
  }

  async describeDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined> {
    const id = documentId(document);
    const writer = await this.#writers.get(collectionName(collection));
    if (writer !== undefined) return writer.describe(id);
    const table = await this.#table(collection);
    return table === undefined ? undefined : (await storedDocuments(table, [id])).get(id);
  }

  async replaceDocument(collection: Collection, version: DocumentVersion): Promise<void> {
    checkVersion(collection, version);
    const writer = await this.#writer(collection);
    await writer.replace(version);
  }

  async confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean> {
    const before = await this.describeDocument(collection, document);
    if (before?.contentHash !== found.contentHash) return false;
    if (before.generation >= found.generation) return true;
    const writer = await this.#writer(collection);
    await writer.write({ kind: 'confirm', document: documentId(document), found });
    return (await this.describeDocument(collection, document))?.contentHash === found.contentHash;
  }

  removeDocument(collection: Collection, document: DocumentRef): Promise<void> {
    return this.#remove(collection, equals('document_id', documentId(document)));
  }

  removeDatasource(
    collection: Collection,
    { organizationId, datasourceId }: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void> {
    const condition = both(equals('organization_id', organizationId), equals('datasource_id', datasourceId));
    return this.#remove(collection, condition);
  }

  removeDatastore(
    collection: Collection,
    { organizationId, datastoreId }: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void> {
    const condition = both(equals('organization_id', organizationId), equals('datastore_id', datastoreId));
    return this.#remove(collection, condition);
  }

  async searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    checkVector(collection, vector);
    const table = await this.#table(collection);
    if (table === undefined || collection.embedding === null) return [];
    return searchDense(table, scope, vector, limit, this.#policy.vectorIndexFrom);
  }

  async searchLexical(
    collection: Collection,
    scope: FragmentScope,
    text: string,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    const table = await this.#table(collection);
    return table === undefined ? [] : searchLexical(table, scope, text, limit);
  }

  async ping(): Promise<void> {
    await access(this.#options.directory, constants.R_OK | constants.W_OK);
  }

  async close(): Promise<void> {
    for (const writer of this.#writers.values()) await (await writer).close();
    for (const table of this.#tables.values()) table.close();
    this.#connections.searching.close();
    this.#connections.writing.close();
  }

  async #remove(collection: Collection, condition: string): Promise<void> {
    // Where nothing was written there is nothing to remove, and no table to be made for it.
    if ((await this.#table(collection)) === undefined) return;
    const writer = await this.#writer(collection);
    await writer.write({ kind: 'remove', condition });
  }

  async #table(collection: Collection): Promise<Table | undefined> {
    const name = collectionName(collection);
    await this.#writers.get(name);
    const table = this.#tables.get(name) ?? (await openTable(this.#connections.searching, name));
    if (table !== undefined) this.#tables.set(name, table);
    return table;
  }

  #writer(collection: Collection): Promise<TableWriter> {
    const name = collectionName(collection);
    const writer = this.#writers.get(name) ?? this.#openWriter(collection, name);
    this.#writers.set(name, writer);
    writer.catch(() => this.#writers.delete(name));
    return writer;
  }

  async #openWriter(collection: Collection, name: string): Promise<TableWriter> {
    const schema = schemaOf(collection.embedding?.dimensions ?? null);
    const { writing } = this.#connections;
    const table = await prepareTable(writing, name, schema);
    const snapshot = (): Promise<Table> => openSnapshot(writing, name);
    return TableWriter.open({ table, schema, snapshot }, this.#policy, (error) => {
      this.#options.log?.warn({ err: error, table: name }, 'tidying up a table failed and will be tried again');
    });
  }
}
