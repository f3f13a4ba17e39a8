import {
  requireVectorDimensions,
  requireValidVersion,
  computeDocumentId,
  computeFragmentIdOfVersion,
  DocumentLanguages,
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
import { weighQueryTerms } from '@quarry/text-analysis';
import {
  getCollectionNames,
  createCollectionIfMissing,
  upgradeCollections,
  type TenantCollections,
} from './collections.js';
import { confirmDocument } from './confirm-document.js';
import { countLanguages } from './count-languages.js';
import { QdrantConnection } from './qdrant-connection.js';
import { readDocumentRecords, hasAllFragments } from './document-record.js';
import { buildEqualsCondition, type Condition, type Filter } from './filters.js';
import { Housekeeping } from './housekeeping.js';
import { listFragmentsByCommit } from './list-by-commit.js';
import { DEFAULT_LAYOUT, DEFAULT_TIMING, type QdrantOptions } from './options.js';
import { roundVector } from './points.js';
import { countFragments, sampleTermStatistics } from './sample-term-statistics.js';
import { removeDocument } from './remove-document.js';
import { replaceDocument } from './replace-document.js';
import { searchFragments, type Search } from './search.js';
import type { ShardSelection } from './shard-assignment.js';
import { requireSupportedVersion } from './server-version.js';
import { buildQueryVector } from './sparse-vector.js';
import { TenantLocator } from './tenant-locator.js';
import type { TermStatistics } from './term-statistics.js';
import { TermStatisticsCache } from './term-statistics-cache.js';

/**
 * Search parameters: the quantized vectors select twice as many candidates as results are requested, and the original
 * vectors rank the candidates.
 */
const QUANTIZED_SEARCH = { quantization: { rescore: true, oversampling: 2 } };

/**
 * Opens a fragment store on a Qdrant server or cluster, version 1.16 or newer. Any number of stores can write to the
 * server and search it.
 *
 * @throws QdrantFailure if `upgrade` is set and the server does not respond
 */
export async function openQdrantFragmentStore(options: QdrantOptions): Promise<FragmentStore> {
  if (options.upgrade === true) await upgradeCollections(new QdrantConnection(options));
  return new QdrantFragmentStore(options);
}

class QdrantFragmentStore implements FragmentStore {
  readonly #connection: QdrantConnection;
  readonly #options: QdrantOptions;
  readonly #graceMs: number;
  readonly #languages = new DocumentLanguages();
  /** Housekeeping of each collection that this store has written to, keyed by collection name. */
  readonly #housekeeping = new Map<string, Promise<Housekeeping>>();
  readonly #tenants: TenantLocator;
  readonly #statistics: TermStatisticsCache;

  constructor(options: QdrantOptions) {
    this.#connection = new QdrantConnection(options);
    this.#tenants = new TenantLocator(this.#connection);
    this.#options = options;
    this.#graceMs = options.timing?.graceMs ?? DEFAULT_TIMING.graceMs;
    this.#statistics = new TermStatisticsCache((error) => {
      options.log?.warn({ err: error }, 'failed to renew term statistics from Qdrant; the store will retry');
    });
  }

  async readStoredDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined> {
    const id = computeDocumentId(document);
    const names = await this.#tenants.locateFragments(collection, document);
    if (names === undefined) return undefined;
    const record = (await readDocumentRecords(this.#connection, names.documents, [id])).get(id);
    if (record === undefined || record.isRemoved || !(await hasAllFragments(this.#connection, names, record)))
      return undefined;
    const { version, generation, contentHash, fragments, tokens } = record;
    return { generation, firstFragmentId: computeFragmentIdOfVersion(version, 0), contentHash, fragments, tokens };
  }

  async replaceDocument(collection: Collection, version: DocumentVersion): Promise<void> {
    requireValidVersion(collection, version);
    const housekeeping = await this.#prepareCollectionOnce(collection);
    const names = await this.#tenants.locateExistingFragments(collection, version);
    const record = await replaceDocument(this.#connection, names, version);
    if (record !== undefined)
      housekeeping.scheduleSettlingOfCommit({ documentId: computeDocumentId(version), ...record });
    this.#languages.recordWrite(collection, version);
  }

  async confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean> {
    const names = await this.#tenants.locateFragments(collection, document);
    const record = names && (await confirmDocument(this.#connection, names, document, found));
    if (record === undefined) return false;
    const housekeeping = await this.#prepareCollectionOnce(collection);
    housekeeping.scheduleSettlingOfCommit({ documentId: computeDocumentId(document), ...record });
    return true;
  }

  async removeDocument(collection: Collection, document: DocumentRef, upTo: number): Promise<void> {
    const names = await this.#tenants.locateFragments(collection, document);
    if (names !== undefined) await removeDocument(this.#connection, names, document, upTo);
  }

  async removeDatasource(
    collection: Collection,
    { organizationId, datasourceId }: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void> {
    await this.#removePointsOfOwner(collection, organizationId, buildEqualsCondition('datasource_id', datasourceId));
  }

  async removeDatastore(
    collection: Collection,
    { organizationId, datastoreId }: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void> {
    await this.#removePointsOfOwner(collection, organizationId, buildEqualsCondition('datastore_id', datastoreId));
  }

  async searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    requireVectorDimensions(collection, vector);
    const names = await this.#tenants.locateFragments(collection, scope);
    if (collection.embedding === null || names === undefined) return [];
    const question = { query: roundVector(vector), using: 'dense', params: QUANTIZED_SEARCH };
    return this.#searchCollection({ names, scope, question, limit });
  }

  async searchLexical(
    collection: Collection,
    scope: FragmentScope,
    { text, vector }: LexicalQuery,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    if (vector !== undefined) requireVectorDimensions(collection, vector);
    if (scope.datastoreIds.length === 0 || limit < 1) return [];
    const names = await this.#tenants.locateFragments(collection, scope);
    if (names === undefined) return [];
    const languages = await this.findLanguages(collection, scope);
    const terms = weighQueryTerms(text, languages);
    if (terms.size === 0) return [];
    const statistics = await this.#getStatistics(names, scope);
    if (statistics === undefined) return [];
    const question = {
      query: buildQueryVector(terms, (index) => statistics.computeIdf(index)),
      using: 'lexical',
    };
    return this.#searchCollection({ names, scope, question, terms, compared: vector && roundVector(vector), limit });
  }

  async findLanguages(collection: Collection, scope: FragmentScope): Promise<readonly string[]> {
    const names = await this.#tenants.locateFragments(collection, scope);
    if (names === undefined) return [];
    return this.#languages.findLanguages(collection, scope, (datastoreId) =>
      countLanguages(this.#connection, names, scope, datastoreId),
    );
  }

  async listFragments(collection: Collection, listing: FragmentListing): Promise<readonly StoredFragment[]> {
    const names = await this.#tenants.locateFragments(collection, listing);
    return names === undefined ? [] : listFragmentsByCommit(this.#connection, names, listing);
  }

  ping(): Promise<void> {
    return this.#connection.ping();
  }

  /** Closes the store. The next store that writes settles the documents that are still unsettled. */
  async close(): Promise<void> {
    for (const housekeeping of this.#housekeeping.values()) await (await housekeeping).stopRuns();
    await this.#statistics.waitUntilIdle();
  }

  /**
   * Returns the term statistics of the datastores of a scope. The fragments of other organizations do not influence the
   * statistics.
   */
  #getStatistics(
    names: TenantCollections,
    { organizationId, datastoreIds }: FragmentScope,
  ): Promise<TermStatistics | undefined> {
    const scope = { organizationId, datastoreIds: [...new Set(datastoreIds)].sort() };
    return this.#statistics.getStatistics(JSON.stringify([names.fragments, organizationId, scope.datastoreIds]), {
      readStatistics: () => sampleTermStatistics(this.#connection, names, scope),
      countFragments: () => countFragments(this.#connection, names, scope),
    });
  }

  #searchCollection(search: Omit<Search, 'connection' | 'graceMs'>): Promise<readonly ScoredFragment[]> {
    return searchFragments({ ...search, connection: this.#connection, graceMs: this.#graceMs });
  }

  /** Removes the points of one datasource or datastore of an organization. */
  async #removePointsOfOwner(collection: Collection, organizationId: string, ownerCondition: Condition): Promise<void> {
    const names = await this.#tenants.locateFragments(collection, { organizationId });
    if (names === undefined) return;
    const filter = { must: [buildEqualsCondition('organization_id', organizationId), ownerCondition] };
    const { fragments, documents, shard } = names;
    await this.#removePoints(documents, { filter });
    await this.#removePoints(fragments, { ...shard, filter });
  }

  async #removePoints(name: string, points: ShardSelection & { readonly filter: Filter }): Promise<void> {
    await this.#connection.sendToExistingCollection(`remove from ${name}`, (client) =>
      client.delete(name, { ...points, wait: true }),
    );
  }

  #prepareCollectionOnce(collection: Collection): Promise<Housekeeping> {
    const { fragments } = getCollectionNames(collection);
    const known = this.#housekeeping.get(fragments);
    if (known !== undefined) return known;
    const prepared = this.#openHousekeeping(collection);
    this.#housekeeping.set(fragments, prepared);
    prepared.catch(() => this.#housekeeping.delete(fragments));
    return prepared;
  }

  async #openHousekeeping(collection: Collection): Promise<Housekeeping> {
    await requireSupportedVersion(this.#connection, this.#options.log);
    await createCollectionIfMissing(this.#connection, collection, { ...DEFAULT_LAYOUT, ...this.#options.layout });
    const names = getCollectionNames(collection);
    const housekeeping = new Housekeeping({
      connection: this.#connection,
      names,
      assignShard: await this.#tenants.getAssignment(names),
      graceMs: this.#graceMs,
      report: (error) => {
        this.#options.log?.warn(
          { err: error, collection: names.fragments },
          'failed to remove replaced fragments from Qdrant; the store will retry',
        );
      },
    });
    await housekeeping.scheduleUnsettledCommits();
    return housekeeping;
  }
}
