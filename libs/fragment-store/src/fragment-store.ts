/** Fragments that are embedded the same way live in one collection, all tenants together. */
export interface Collection {
  /** Null: fragments without vectors, searched by words alone. */
  readonly embedding: { readonly model: string; readonly dimensions: number; readonly distance: 'cosine' } | null;
}

/** Which document, in which tenant's datastore. */
export interface DocumentRef {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  /** Unique inside the datastore. */
  readonly documentKey: string;
}

/** A document as it is to be searched from now on. */
export interface DocumentVersion extends DocumentRef {
  /** Grows with every run; the newest is the one that is searched. */
  readonly generation: number;
  /** Of the content, and of all that decides what the fragments look like. */
  readonly contentHash: string;
  readonly customId: string | null;
  /** The address a reader can open; null where there is none. */
  readonly source: string | null;
  /** What a shopper narrows a search by. Absent: the document offers nothing. */
  readonly offer?: Offer;
  /** In reading order. At least one. */
  readonly fragments: readonly NewFragment[];
}

/** What a document of a catalogue offers. */
export interface Offer {
  /** In the shop's currency; null where it says none. */
  readonly price: number | null;
  /** In the shop's own words, such as `instock`; null where it says nothing. */
  readonly stockStatus: string | null;
}

/** Both ends are part of it. An end that is absent is open. */
export interface PriceBounds {
  readonly min?: number;
  readonly max?: number;
}

export interface NewFragment {
  /** What is returned. */
  readonly text: string;
  /** What the passage stands under: document name, headings. Searched with the text, never returned as part of it. */
  readonly context: string;
  /** Counted from 1; null where the document has no pages. */
  readonly page: number | null;
  /** Where in the document it is, for people: `sheet Prices, rows 40–80`. Null where page or nothing says it. */
  readonly location: string | null;
  readonly tokens: number;
  /** As long as the collection's dimensions, unit length; null in a collection without embedding. */
  readonly vector: Float32Array | null;
}

/** What a run found a document to be. */
export interface FoundContent {
  readonly generation: number;
  readonly contentHash: string;
}

/** What is stored of a document now. */
export interface StoredDocument {
  /** The newest generation that wrote or confirmed it. */
  readonly generation: number;
  /** The id of its first fragment, which names the generation that wrote it. Compare it with `isWrittenBy`. */
  readonly firstFragmentId: string;
  readonly contentHash: string;
  readonly fragments: number;
  readonly tokens: number;
}

/** What a search may see. Every list narrows; an empty list sees nothing. */
export interface FragmentScope {
  readonly organizationId: string;
  readonly datastoreIds: readonly string[];
  readonly datasourceIds?: readonly string[];
  readonly customIds?: readonly string[];
  /** Only documents that have a price, within these bounds. */
  readonly price?: PriceBounds;
  readonly stockStatuses?: readonly string[];
  /** What is being removed. It is filtered out before ranking, so that it takes no place of a live result. */
  readonly excluded?: ExcludedContent;
}

export interface ExcludedContent {
  readonly datasourceIds: readonly string[];
  readonly documents: readonly ExcludedDocument[];
}

/** A document that is excluded while what is stored of it is of generation `upTo` or older. */
export interface ExcludedDocument extends Pick<DocumentRef, 'datastoreId' | 'documentKey'> {
  readonly upTo: number;
}

export interface ScoredFragment {
  readonly id: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  readonly documentKey: string;
  readonly customId: string | null;
  readonly source: string | null;
  /** The same for all fragments of one version of a document, and another for another version. */
  readonly version: string;
  /** Of two versions that two searches have found, the one with the greater generation is the newer. */
  readonly generation: number;
  readonly page: number | null;
  readonly location: string | null;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  readonly context: string;
  readonly text: string;
  /** Dense: cosine similarity. Lexical: BM25. Higher is better; comparable within one result only. */
  readonly score: number;
}

/**
 * Stores fragments and searches them. Its guarantees, each asserted by the conformance suite:
 *
 * - A document is replaced as a whole: at every instant a search sees its old fragments or its new ones, never a mix of
 *   both, never a part, and never neither.
 * - Writing the same version twice leaves what writing it once leaves. An older generation never replaces a newer one, nor
 *   what a newer one has confirmed.
 * - A removal never removes what a newer generation stored or confirmed, however late it runs. A replacement that is not
 *   newer than the removal does not bring the document back. The order in which the two arrive makes no difference.
 * - What is described is there: `describeDocument` and `confirmDocument` never report a version whose fragments are missing.
 * - What a resolved write has changed, the next search sees, from this process or another.
 * - A search returns nothing from outside its scope; the organization is always part of it.
 * - Removing what is not there succeeds. Searching a collection that was never written finds nothing.
 */
export interface FragmentStore {
  /** @returns what is stored of the document, or undefined where nothing is stored or some of its fragments are missing */
  describeDocument(collection: Collection, document: DocumentRef): Promise<StoredDocument | undefined>;

  /** @throws DimensionMismatch when a vector is not as long as the collection's embedding says */
  replaceDocument(collection: Collection, version: DocumentVersion): Promise<void>;

  /**
   * Records that a run has found what is stored already: from then on nothing older replaces or removes it. What is
   * searched stays as it is, ids too.
   *
   * @returns whether that content is stored; nothing is changed when it is not
   */
  confirmDocument(collection: Collection, document: DocumentRef, found: FoundContent): Promise<boolean>;

  /**
   * Removes a document if what is stored of it was written and confirmed by runs of generation `upTo` or older ones.
   * Replacements of those generations that arrive within a day after it are ignored: their runs were still at work.
   */
  removeDocument(collection: Collection, document: DocumentRef, upTo: number): Promise<void>;

  /**
   * Removes all documents of a datasource, whatever their generations. The id of a removed datasource is never used
   * again, so there is no newer run to protect. A run that is still at work checks for the removal after it has written.
   */
  removeDatasource(
    collection: Collection,
    owner: { readonly organizationId: string; readonly datasourceId: string },
  ): Promise<void>;

  /** Removes all documents of a datastore, whatever their generations: its id is never used again either. */
  removeDatastore(
    collection: Collection,
    owner: { readonly organizationId: string; readonly datastoreId: string },
  ): Promise<void>;

  /** The fragments whose vectors are nearest to `vector`, best first, at most `limit`. */
  searchDense(
    collection: Collection,
    scope: FragmentScope,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly ScoredFragment[]>;

  /** The fragments that share words with `text`, best first, at most `limit`. Any text is a valid query. */
  searchLexical(
    collection: Collection,
    scope: FragmentScope,
    text: string,
    limit: number,
  ): Promise<readonly ScoredFragment[]>;

  /** @throws with the cause when the store cannot be reached */
  ping(): Promise<void>;

  /** Finishes what was begun. Nothing may be called after it. */
  close(): Promise<void>;
}

/** A vector is not as long as its collection's embedding says. */
export class DimensionMismatch extends Error {
  readonly expected: number;
  readonly found: number;

  constructor(model: string, expected: number, found: number) {
    super(`model ${model} is to give vectors of ${expected} dimensions, found ${found}`);
    this.name = 'DimensionMismatch';
    this.expected = expected;
    this.found = found;
  }
}
