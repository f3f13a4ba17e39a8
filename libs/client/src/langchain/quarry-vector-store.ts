import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import type { QuarryClient } from '../client.js';
import { createRandomId } from '../create-random-id.js';
import { isSettled } from '../datasource-methods.js';
import { pollUntil } from '../poll-until.js';
import type { Datasource, DatastoreQueryRequest, UpsertDocument } from '../types.js';
import { buildDocument, DEFAULT_RESULTS } from './build-document.js';

export interface QuarryVectorStoreFields {
  readonly quarry: QuarryClient;
  readonly datastoreId: string;
}

type Filters = NonNullable<DatastoreQueryRequest['filters']>;

const MAX_TEXTS_PER_REQUEST = 100;
const MAX_BYTES_PER_REQUEST = 8 * 1_024 * 1_024;
const PAGE_SIZE = 200;
const MAX_NAME_CHARACTERS = 80;
const MAX_CONCURRENT_DELETIONS = 8;

/**
 * Stores documents as texts of a datastore. The embedding model of the datastore embeds the texts. LangChain's
 * embeddings are not used. Searches return passages of a long text, with the id and the metadata of the text. Filters
 * have the format of the API, such as `{ metadata: { type: 'eq', key: 'lang', value: 'en' } }`.
 */
export class QuarryVectorStore extends VectorStore {
  declare FilterType: Filters;
  private readonly quarry: QuarryClient;
  private readonly datastoreId: string;

  constructor({ quarry, datastoreId }: QuarryVectorStoreFields) {
    super({ embedQuery: rejectVectors, embedDocuments: rejectVectors }, {});
    this.quarry = quarry;
    this.datastoreId = datastoreId;
  }

  /** Creates a store for an existing datastore, and adds texts to the datastore. Ignores `_embeddings`. */
  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    _embeddings: EmbeddingsInterface | undefined,
    fields: QuarryVectorStoreFields,
  ): Promise<QuarryVectorStore> {
    const documents = texts.map((pageContent, index) => {
      const metadata: unknown = Array.isArray(metadatas) ? metadatas[index] : metadatas;
      return new Document({ pageContent, metadata: { ...(metadata as object) } }); // one of the objects above
    });
    return QuarryVectorStore.fromDocuments(documents, undefined, fields);
  }

  /** Creates a store for an existing datastore, and adds documents to the datastore. Ignores `_embeddings`. */
  static override async fromDocuments(
    documents: DocumentInterface[],
    _embeddings: EmbeddingsInterface | undefined,
    fields: QuarryVectorStoreFields,
  ): Promise<QuarryVectorStore> {
    const store = new QuarryVectorStore(fields);
    await store.addDocuments(documents);
    return store;
  }

  _vectorstoreType(): string {
    return 'quarry';
  }

  /**
   * Adds documents, or replaces stored documents with the same ids. Resolves with the ids of the given documents as
   * soon as searches can find these documents.
   */
  async addDocuments(
    documents: DocumentInterface[],
    { ids = [] }: { readonly ids?: readonly string[] } = {},
  ): Promise<string[]> {
    const texts = documents.map((document, index) =>
      buildUpsertDocument(ids[index] ?? document.id ?? createRandomId(), document),
    );
    for (const batch of splitIntoBatches(texts)) {
      const upserted = await this.quarry.upsertDocuments(this.datastoreId, batch);
      await this.waitUntilIndexed(upserted.ids);
    }
    return texts.map(({ id }) => id);
  }

  /**
   * Waits until searches can find texts that were just upserted. Requests the newest datasources, because one request
   * for each text would reach the rate limit. Requests the other texts, which have replaced older ones, by their ids.
   */
  private async waitUntilIndexed(ids: readonly string[]): Promise<void> {
    const { quarry, datastoreId } = this;
    const newest = await pollUntil(
      () => quarry.listDatasources({ datastoreId, limit: PAGE_SIZE }),
      ({ items }) => items.every((datasource) => !ids.includes(datasource.id) || isSettled(datasource)),
    );
    const settled = new Map(newest.items.map((datasource) => [datasource.id, datasource]));
    for (const id of ids) requireSynchedDatasource(settled.get(id) ?? (await quarry.untilSettled(id)));
  }

  /**
   * Deletes documents by their ids. Ignores ids that do not exist. If some deletions fail, still deletes the other
   * documents.
   *
   * @throws AggregateError with one error for each document that was not deleted; TypeError, before any request, if an
   * id is not a non-empty text
   */
  override async delete({ ids }: { readonly ids: readonly string[] }): Promise<void> {
    requireIds(ids);
    const remaining = [...new Set(ids)];
    const errors: Error[] = [];
    const deleteRemaining = async (): Promise<void> => {
      for (let id = remaining.shift(); id !== undefined; id = remaining.shift()) {
        try {
          await this.deleteDocument(id);
        } catch (cause) {
          errors.push(new Error(`The document ${id} was not deleted: ${String(cause)}`, { cause }));
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_DELETIONS }, deleteRemaining));
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join(' '));
  }

  private async deleteDocument(documentId: string): Promise<void> {
    const { quarry, datastoreId } = this;
    for await (const { id } of quarry.listDatasources({ datastoreId, documentId })) await quarry.deleteDatasource(id);
  }

  override async similaritySearch(query: string, k = DEFAULT_RESULTS, filter?: Filters): Promise<DocumentInterface[]> {
    const found = await this.similaritySearchWithScore(query, k, filter);
    return found.map(([document]) => document);
  }

  /** Returns the most similar passages with scores from 0 to 1. Scores are comparable only within one search. */
  override async similaritySearchWithScore(
    query: string,
    k = DEFAULT_RESULTS,
    filter?: Filters,
  ): Promise<[DocumentInterface, number][]> {
    const request = { query, topK: k, ...(filter && { filters: filter }) };
    const results = await this.quarry.queryDatastore(this.datastoreId, request);
    return results.map((result) => [buildDocument(result), result.score]);
  }

  async addVectors(): Promise<string[]> {
    return rejectVectors();
  }

  async similaritySearchVectorWithScore(): Promise<[DocumentInterface, number][]> {
    return rejectVectors();
  }
}

/** Rejects with an error, because the API accepts texts instead of vectors. */
async function rejectVectors(): Promise<never> {
  const advice = 'Quarry embeds texts itself: use addDocuments and similaritySearch.';
  return Promise.reject(new Error(`Expected a text, found a vector. ${advice}`));
}

/**
 * Builds the text to upsert for a document. Citations show the name of the text: the title in the metadata, or else the
 * first line.
 */
function buildUpsertDocument(
  id: string,
  { pageContent: text, metadata }: DocumentInterface,
): UpsertDocument & { readonly id: string } {
  const { title }: { readonly title?: unknown } = metadata;
  const name = typeof title === 'string' && title !== '' ? title : (text.trim().split('\n')[0] ?? '');
  return { id, text, name: Array.from(name).slice(0, MAX_NAME_CHARACTERS).join(''), metadata };
}

/** Splits texts into the batches of requests. A text that exceeds the size of a request has its own batch. */
function* splitIntoBatches<Text>(texts: readonly Text[]): Generator<Text[]> {
  let batch: Text[] = [];
  let batchBytes = 0;
  for (const text of texts) {
    const bytes = new TextEncoder().encode(JSON.stringify(text)).byteLength;
    const isFull = batch.length === MAX_TEXTS_PER_REQUEST || batchBytes + bytes > MAX_BYTES_PER_REQUEST;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, batchBytes] = [[], 0];
    }
    batch.push(text);
    batchBytes += bytes;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Checks that each id is a non-empty text, because a request without an id would select all documents.
 *
 * @throws TypeError
 */
function requireIds(ids: readonly unknown[]): void {
  const position = ids.findIndex((id) => typeof id !== 'string' || id === '');
  if (position === -1) return;
  throw new TypeError(
    `Expected a non-empty text as the id at position ${position}, found ${JSON.stringify(ids[position])}`,
  );
}

/** Checks that the text of a datasource was indexed. @throws Error with the reason if it was not */
function requireSynchedDatasource({ name, status, error }: Datasource): void {
  if (status === 'synched') return;
  throw new Error(
    `Expected the document ${name} to be indexed, found the status ${status}: ${error?.message ?? 'no reason'}`,
  );
}
