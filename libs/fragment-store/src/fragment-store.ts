import type { ExcludedContent, FragmentScope } from './fragment-scope.js';

/** Describes a collection. It contains all fragments with the same embedding, of all tenants. */
export interface Collection {
  /** Describes the embedding. Null: the fragments have no vectors, and search is lexical only. */
  readonly embedding: { readonly model: string; readonly dimensions: number; readonly distance: 'cosine' } | null;
}

/** Identifies a document in a tenant's datastore. */
export interface DocumentRef {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  /** Identifies the document within its datastore. */
  readonly documentKey: string;
}

/** Describes a version of a document to be stored and searched. */
export interface DocumentVersion extends DocumentRef {
  /** Increases with every run. Searches use the newest generation. */
  readonly generation: number;
  /** Hash of the content and of everything else that determines the fragments. */
  readonly contentHash: string;
  readonly customId: string | null;
  /** Holds the URL that a reader can open. Null if there is none. */
  readonly source: string | null;
  /** Holds the price and stock status for filters. Absent: the document has neither. */
  readonly offer?: Offer;
  /** Holds free-form metadata for filters. Absent: the document has none. */
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
  /** Holds the text that searches return. */
  readonly text: string;
  /** Holds the document name and headings above the passage. Searches match it, but results do not include it. */
  readonly context: string;
  /** Page number, starting at 1. Null if the document has no pages. */
  readonly page: number | null;
  /**
   * Describes the position for people, such as `sheet Prices, rows 40–80`. Null if only the page or nothing is known.
   */
  readonly location: string | null;
  /** Rectangles that cover the text on its pages, in the form of `encodeRectangles`. Empty if there are none. */
  readonly rectangles: readonly number[];
  readonly tokens: number;
  /** Holds a unit vector with the dimensions of the collection. Null in a collection without embedding. */
  readonly vector: Float32Array | null;
}

/** Identifies the content that a run found for a document. */
export interface FoundContent {
  readonly generation: number;
  readonly contentHash: string;
}

/** Describes the stored version of a document. */
export interface StoredDocument {
  /** Holds the newest generation that wrote or confirmed the content. */
  readonly generation: number;
  /** Identifies the first fragment, and so the generation that wrote it. Compare it with `isWrittenBy`. */
  readonly firstFragmentId: string;
  readonly contentHash: string;
  readonly fragments: number;
  readonly tokens: number;
}

/** Selects stored fragments to read back. */
export interface FragmentListing extends Pick<DocumentRef, 'organizationId' | 'datastoreId' | 'datasourceId'> {
  /** Lists the keys of the documents in the order of the result, each once. */
  readonly documentKeys: readonly string[];
  /** Ordinal at which the list begins in the first document. 0 begins with its first fragment. */
  readonly firstOrdinal: number;
  /** Maximum number of fragments. */
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
   * Identifies the version of the document. All fragments of a version have the same value, and other versions have
   * other values.
   */
  readonly version: string;
  /** If two searches find different versions of a document, the version with the greater generation is newer. */
  readonly generation: number;
  readonly page: number | null;
  readonly location: string | null;
  /** The rectangles as they were written. Empty if the version was stored without rectangles. */
  readonly rectangles: readonly number[];
  /** Position in the document, starting at 0. */
  readonly ordinal: number;
  readonly context: string;
  readonly text: string;
}

export interface ScoredFragment extends StoredFragment {
  /**
   * Holds the cosine similarity of a dense search, or the BM25 score of a lexical search. `rankByDocuments` lowers a
   * BM25 score, at most to a third, if the document matches less than others. Higher is better. Comparable within one
   * result only.
   */
  readonly score: number;
  /**
   * Holds the match of the document with the query of a lexical search, in [0, 1]. It is 1 for the best document of the
   * result, and absent if no document matches or the version has no profile.
   */
  readonly documentMatch?: number;
}

/**
 * Stores and searches fragments. The conformance suite asserts its guarantees:
 *
 * - A document is replaced as a whole. At every instant a search sees either all old fragments or all new ones.
 * - Writes are idempotent. An older generation never replaces content that a newer one wrote or confirmed.
 * - A removal never removes what a newer generation wrote or confirmed, however late it runs. A replacement that is not
 * newer than the removal does not restore the document. The order in which the two arrive makes no difference.
 * - `readStoredDocument` and `confirmDocument` never report a version with missing fragments.
 * - The next search sees the changes of a resolved write, from this process or another.
 * - A search returns nothing outside its scope, which always includes the organization.
 * - A search returns as many fragments of its scope as exist, up to its limit, even if the scope excludes most of a
 * datastore.
 * - Scores do not depend on the fragments of other organizations. Once all written fragments are indexed, a repeated
 * search returns equal scores.
 * - A lexical search ranks a fragment higher if more of its document matches: the name, the headings, the first lines
 * and the other fragments. Of two equal fragments, the one whose document matches better comes first.
 * - A lexical search compares the length of a fragment to a constant. So all stores rank alike. The ratio of two scores
 * for a word in all fragments depends on these two fragments only.
 * - Removing absent content succeeds. Searching a collection that was never written returns no results.
 */
export interface FragmentStore {
  /** Returns the stored version. Returns undefined if there is none or some of its fragments are missing. */
  readStoredDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined>;

  /**
   * Stores a version in place of older ones.
   *
   * @throws DimensionMismatch if the length of a vector does not match the embedding of the collection
   */
  replaceDocument(collection: Collection, version: DocumentVersion): Promise<void>;

  /**
   * Records that a run found the stored content unchanged. Older generations then neither replace nor remove it. The
   * fragments and their ids stay the same.
   *
   * @returns true if that content is stored; otherwise nothing is changed
   */
  confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean>;

  /**
   * Removes a document if only runs of generation `upTo` or older wrote and confirmed it. For a day after that,
   * replacements of those generations are ignored, because their runs may still be active.
   */
  removeDocument(collection: Collection, document: DocumentRef, upTo: number): Promise<void>;

  /**
   * Removes all documents of a datasource, in all generations. Its id is never reused, so no newer run needs
   * protection. A run that is still active checks for the removal after it has written.
   */
  removeDatasource(
    collection: Collection,
    owner: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void>;

  /** Removes all documents of a datastore, in all generations. Its id is never reused. */
  removeDatastore(
    collection: Collection,
    owner: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void>;

  /** Returns the fragments with the vectors nearest to `vector`, best first, at most `limit`. */
  searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]>;

  /**
   * Returns the fragments that share words with `text`, best first, at most `limit`. Any text is a valid query. A query
   * of unclear language matches word forms in the languages of the documents: see `findLanguages`.
   */
  searchLexical(
    collection: Collection,
    scope: FragmentScope,
    text: string,
    limit: number,
  ): Promise<readonly ScoredFragment[]>;

  /**
   * Returns the frequent languages of the scope's datastores as ISO 639-1 codes: those of at least a tenth of the
   * fragments of a datastore. Returns none if they are unknown. After writes of another process, the list may be a
   * minute old.
   */
  findLanguages(collection: Collection, scope: FragmentScope): Promise<readonly string[]>;

  /**
   * Returns the fragments of the documents, in the order of `documentKeys` and then by ordinal, at most `limit`. Its
   * duration does not depend on the size of the datastore. As in a search, the fragments of a document are those of its
   * newest complete version.
   */
  listFragments(collection: Collection, listing: FragmentListing): Promise<readonly StoredFragment[]>;

  /** Checks that the store is reachable. @throws an error with a cause if it is not */
  ping(): Promise<void>;

  /** Completes pending work and closes the store. No method may be called afterwards. */
  close(): Promise<void>;
}

/** Reports a vector whose length does not match the embedding of its collection. */
export class DimensionMismatch extends Error {
  readonly expected: number;
  readonly found: number;

  constructor(model: string, expected: number, found: number) {
    super(`expected vectors of ${expected} dimensions from model ${model}, found ${found}`);
    this.name = 'DimensionMismatch';
    this.expected = expected;
    this.found = found;
  }
}
