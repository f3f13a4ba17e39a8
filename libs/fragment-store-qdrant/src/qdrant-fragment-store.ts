import {
  checkVector,
  checkVersion,
  documentId,
  type Collection,
  type DocumentRef,
  type DocumentVersion,
  type FragmentScope,
  type FragmentStore,
  type ScoredFragment,
  type StoredDocument,
} from '@quarry/fragment-store';
import { termsOfQuery } from '@quarry/text-analysis';
import { collectionNames, prepareCollection } from './collections.js';
import { QdrantConnection } from './connection.js';
import { documentRecords } from './document-records.js';
import { equals, type Filter } from './filters.js';
import { DEFAULT_LAYOUT, type QdrantOptions } from './options.js';
import { jsonVector } from './points.js';
import { replaceDocument } from './replace-document.js';
import { search } from './search.js';
import { queryVector } from './sparse-vector.js';

/** Quantized vectors find twice as many candidates as asked for, which are then compared by the vectors themselves. */
const QUANTIZED_SEARCH = { quantization: { rescore: true, oversampling: 2 } };

/** Fragments in a Qdrant server or cluster, 1.16 or newer. Any number of stores may write to it and search it. */
export function openQdrantFragmentStore(options: QdrantOptions): Promise<FragmentStore> {
  return Promise.resolve(new QdrantFragmentStore(options));
}

class QdrantFragmentStore implements FragmentStore {
  readonly #connection: QdrantConnection;
  readonly #options: QdrantOptions;
  readonly #prepared = new Map<string, Promise<void>>();

  constructor(options: QdrantOptions) {
    this.#connection = new QdrantConnection(options);
    this.#options = options;
  }

  async describeDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined> {
    const id = documentId(document);
    const record = (await documentRecords(this.#connection, collectionNames(collection).documents, [id])).get(id);
    if (record === undefined) return undefined;
    const { generation, contentHash, fragments, tokens } = record;
    return { generation, contentHash, fragments, tokens };
  }

  async replaceDocument(collection: Collection, version: DocumentVersion): Promise<void> {
    checkVersion(collection, version);
    await this.#prepare(collection);
    await replaceDocument(this.#connection, collectionNames(collection), version);
  }

  async removeDocument(collection: Collection, document: DocumentRef): Promise<void> {
    const id = documentId(document);
    const { fragments, documents } = collectionNames(collection);
    // The record first: without it no search returns any of the fragments.
    await this.#connection.askIfThere(`remove the record of ${document.documentKey} from ${documents}`, (client) =>
      client.delete(documents, { points: [id], wait: true }),
    );
    await this.#remove(fragments, { must: [equals('document_id', id)] });
  }

  async removeDatasource(
    collection: Collection,
    { organizationId, datasourceId }: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void> {
    const filter = { must: [equals('organization_id', organizationId), equals('datasource_id', datasourceId)] };
    await this.#removeOwned(collection, filter);
  }

  async removeDatastore(
    collection: Collection,
    { organizationId, datastoreId }: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void> {
    const filter = { must: [equals('organization_id', organizationId), equals('datastore_id', datastoreId)] };
    await this.#removeOwned(collection, filter);
  }

  async searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    checkVector(collection, vector);
    if (collection.embedding === null) return [];
    const question = { query: jsonVector(vector), using: 'dense', params: QUANTIZED_SEARCH };
    return search(this.#connection, collectionNames(collection), scope, question, limit);
  }

  async searchLexical(
    collection: Collection,
    scope: FragmentScope,
    text: string,
    limit: number,
  ): Promise<readonly ScoredFragment[]> {
    const terms = termsOfQuery(text);
    if (terms.length === 0) return [];
    const question = { query: queryVector(terms), using: 'lexical' };
    return search(this.#connection, collectionNames(collection), scope, question, limit);
  }

  ping(): Promise<void> {
    return this.#connection.ping();
  }

  /** Every write was finished when it resolved, and connections that nobody uses close by themselves. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async #removeOwned(collection: Collection, filter: Filter): Promise<void> {
    const { fragments, documents } = collectionNames(collection);
    await this.#remove(documents, filter);
    await this.#remove(fragments, filter);
  }

  async #remove(name: string, filter: Filter): Promise<void> {
    await this.#connection.askIfThere(`remove from ${name}`, (client) => client.delete(name, { filter, wait: true }));
  }

  #prepare(collection: Collection): Promise<void> {
    const { fragments } = collectionNames(collection);
    const known = this.#prepared.get(fragments);
    if (known !== undefined) return known;
    const layout = { ...DEFAULT_LAYOUT, ...this.#options.layout };
    const prepared = prepareCollection(this.#connection, collection, layout);
    this.#prepared.set(fragments, prepared);
    prepared.catch(() => this.#prepared.delete(fragments));
    return prepared;
  }
}
