import type { ExcludedContent, FragmentScope } from './fragment-scope.js';

/**
 * Describes a collection, which contains all fragments with the same embedding configuration, whatever their
 * organization.
 */
export interface Collection {
  /**
   * Describes the embedding configuration. Null: the fragments have no vectors, and only lexical search is possible.
   */
  readonly embedding: { readonly model: string; readonly dimensions: number; readonly distance: 'cosine' } | null;
}

/** Identifies a document in a datastore of an organization. */
export interface DocumentRef {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  /** Identifies the document within its datastore. */
  readonly documentKey: string;
}

/** Describes a version of a document to be stored and searched. */
export interface DocumentVersion extends DocumentRef {
  /** The generation of the run that writes the version. Searches find the newest generation of a document. */
  readonly generation: number;
  /** Hash of the document's content and of everything else that determines its fragments. */
  readonly contentHash: string;
  readonly customId: string | null;
  /** Holds the URL at which people can open the document. Null if there is none. */
  readonly source: string | null;
  /** Holds the price and the stock status, by which searches filter. Absent: the document has no offer. */
  readonly offer?: Offer;
  /** Holds free-form metadata, by which searches filter. Absent: the document has no metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Lists the fragments in reading order. At least one. */
  readonly fragments: readonly NewFragment[];
}

/** Describes the offer of a catalogue item. */
export interface Offer {
  /** Price in the currency of the shop. Null if unknown. */
  readonly price: number | null;
  /** Stock status as given by the shop, such as `instock`. Null if unknown. */
  readonly stockStatus: string | null;
}

export interface NewFragment {
  /** Holds the text of the fragment, which searches return. */
  readonly text: string;
  /** Holds the document name and the headings above the fragment. Searches match it, but do not return it. */
  readonly context: string;
  /** Page number of the fragment, starting at 1. Null if the document has no pages. */
  readonly page: number | null;
  /** Position on the page in words, such as `sheet Prices, rows 40–80`. Null if there is no such position. */
  readonly location: string | null;
  /**
   * Rectangles that cover the text of the fragment on its pages, five numbers each, as `encodeRectangles` expects.
   * Empty if there are none.
   */
  readonly rectangles: readonly number[];
  readonly tokens: number;
  /** Embedding of the fragment, a unit vector. Null in a collection without embedding. */
  readonly vector: Float32Array | null;
}

/** Identifies the content that a run found for a document, to compare it with the stored content. */
export interface FoundContent {
  readonly generation: number;
  readonly contentHash: string;
}

/** Describes the stored version of a document. */
export interface StoredDocument {
  /** Holds the newest generation whose run wrote or confirmed the content. */
  readonly generation: number;
  /**
   * Id of the first fragment of the stored version. It differs between versions, so that `hasContentOfVersion` can
   * determine whether a version wrote the content.
   */
  readonly firstFragmentId: string;
  readonly contentHash: string;
  readonly fragments: number;
  readonly tokens: number;
}

/** Selects stored fragments to read without a search. */
export interface FragmentListing extends Pick<DocumentRef, 'organizationId' | 'datastoreId' | 'datasourceId'> {
  /** Lists the keys of the documents to read, without duplicates. The result contains the documents in this order. */
  readonly documentKeys: readonly string[];
  /**
   * Ordinal from which fragments of the first document in `documentKeys` are returned. Fragments of the other documents
   * are returned from ordinal 0.
   */
  readonly firstOrdinal: number;
  /** Maximum number of fragments of all documents together. */
  readonly limit: number;
  readonly excluded?: ExcludedContent;
}

export interface StoredFragment {
  readonly id: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  readonly documentKey: string;
  readonly customId: string | null;
  readonly source: string | null;
  /**
   * Identifies the version of the document. All fragments of a version have the same value, and different versions have
   * different values.
   */
  readonly version: string;
  /** Generation of the version. Of two versions of a document, the one with the greater generation is newer. */
  readonly generation: number;
  readonly page: number | null;
  readonly location: string | null;
  /** The rectangles of the fragment as they were written. Empty if the version was stored without rectangles. */
  readonly rectangles: readonly number[];
  /** Position of the fragment in the document, starting at 0. */
  readonly ordinal: number;
  readonly context: string;
  readonly text: string;
}

export interface ScoredFragment extends StoredFragment {
  /**
   * Holds the cosine similarity of a dense search, or the BM25 score of a lexical search. If the document matches the
   * query less than the best document does, `rankByDocuments` lowers the BM25 score, to no less than a third. Higher is
   * better. Scores are comparable only within one result list.
   */
  readonly score: number;
  /**
   * In a lexical search: measures how much the fragment's document matches the query, in [0, 1]. It is 1 for the best
   * document of the result list. Absent if no document matches, or if the fragment's document has no profile.
   */
  readonly documentMatch?: number;
  /** Holds the cosine similarity of the fragment to `LexicalQuery.vector`. Absent in results without such a vector. */
  readonly similarity?: number;
}

/** Describes the query of a lexical search. */
export interface LexicalQuery {
  /** Text of the query. Every text is valid. */
  readonly text: string;
  /** Embedding of the text, to which the results are compared. Absent: the results have no `similarity`. */
  readonly vector?: Float32Array | undefined;
}

/**
 * Stores and searches fragments. The conformance suite asserts that each store gives these guarantees:
 *
 * - A document is replaced as a whole. At every instant a search sees either all fragments of the old version or all
 *   fragments of the new version.
 * - Writes are idempotent. An older generation never replaces content that a newer one wrote or confirmed.
 * - A removal keeps a document that a newer generation wrote or confirmed. After a removal, only a newer generation
 *   restores the document. It makes no difference whether the removal or the write runs first.
 * - `readStoredDocument` and `confirmDocument` treat a version as absent while some of its fragments are missing.
 * - A search sees the changes of each write that resolved before the search began, in this process or another.
 * - A search returns nothing outside its scope, which always contains exactly one organization.
 * - A search returns as many fragments of its scope as exist, up to its limit, even if the scope excludes most of a
 *   datastore.
 * - Scores do not depend on the fragments of other organizations. Once all written fragments are indexed, a repeated
 *   search returns equal scores.
 * - A lexical search ranks a fragment higher if more of its document matches: the name, the headings, the first lines
 *   and the other fragments. Of two fragments with equal text, the one whose document matches better comes first.
 * - All stores rank alike, because BM25 compares the length of a fragment with `REFERENCE_TERMS` and not with a mean
 *   length. For a word in all fragments, the ratio between the scores of two fragments depends only on these two
 *   fragments.
 * - BM25 counts the fragments with a term in the organization or in the searched datastores. A store may estimate this
 *   number from a sample of 10,000 fragments.
 * - Of results with equal scores, the fragment with the newest generation comes first.
 * - Removing absent content succeeds. Searching a collection that was never written returns no results.
 */
export interface FragmentStore {
  /**
   * Returns the stored version of a document. Returns undefined if there is none, or some fragments of it are missing.
   */
  readStoredDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined>;

  /**
   * Stores a version of a document in place of older versions.
   *
   * @throws DimensionMismatch if the length of a vector does not match the embedding of the collection; RangeError if
   * there are no fragments
   */
  replaceDocument(collection: Collection, version: DocumentVersion): Promise<void>;

  /**
   * Records that a run found the stored content unchanged. Runs of older generations than `found` then neither replace
   * nor remove this content. The fragments and the ids of the fragments stay the same.
   *
   * @returns true if the found content is the stored content; otherwise false, and nothing is changed
   */
  confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean>;

  /**
   * Removes a document if no run newer than generation `upTo` wrote or confirmed it. For a day after the removal,
   * replacements of generation `upTo` or older are ignored, because their runs may still be active.
   */
  removeDocument(collection: Collection, document: DocumentRef, upTo: number): Promise<void>;

  /**
   * Removes all documents of a datasource, whatever their generation, because the id of a datasource is never reused. A
   * run that is still active may write after the removal. The jobs of a run therefore check after each write whether
   * the datasource was removed.
   */
  removeDatasource(
    collection: Collection,
    owner: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void>;

  /** Removes all documents of a datastore, whatever their generation, because the id of a datastore is never reused. */
  removeDatastore(
    collection: Collection,
    owner: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void>;

  /**
   * Returns the fragments with the vectors nearest to `vector`, best first, at most `limit`.
   *
   * @throws DimensionMismatch if the length of `vector` does not match the embedding of the collection
   */
  searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]>;

  /**
   * Returns the fragments that share words with the query, best first, at most `limit`. If the language of the query is
   * unclear, word forms are matched in the languages that `findLanguages` returns. The vector of the query adds the
   * similarity to the results, but changes neither their order nor their number.
   *
   * @throws DimensionMismatch if the length of the query's vector does not match the embedding of the collection
   */
  searchLexical(
    collection: Collection,
    scope: FragmentScope,
    query: LexicalQuery,
    limit: number,
  ): Promise<readonly ScoredFragment[]>;

  /**
   * Returns the frequent languages of the scope's datastores as ISO 639-1 codes. A language is frequent if at least a
   * tenth of the fragments of a datastore are in it. Returns an empty list if the languages are unclear. The list takes
   * up to a minute to include the writes of another process.
   */
  findLanguages(collection: Collection, scope: FragmentScope): Promise<readonly string[]>;

  /**
   * Returns stored fragments in the order of `documentKeys` and then by ordinal. The duration of a call does not depend
   * on the size of the datastore. As in a search, the fragments of a document are those of its newest complete version.
   */
  listFragments(collection: Collection, listing: FragmentListing): Promise<readonly StoredFragment[]>;

  /** Checks that the store is reachable. @throws Error with the cause if the store is not reachable */
  ping(): Promise<void>;

  /** Waits for pending work and closes the store. No method may be called afterwards. */
  close(): Promise<void>;
}
