import type { EmbeddingSettings, SearchScope } from '@quarry/contracts';
import { createInMemoryEmbedder } from '@quarry/embedder/testing';
import type { FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';

export interface SampleDocument {
  readonly fragments: readonly string[];
  readonly key?: string;
  readonly context?: string;
  readonly customId?: string;
  readonly source?: string;
  readonly datastoreId?: string;
  readonly datasourceId?: string;
  readonly organizationId?: string;
}

export const EMBEDDER = createInMemoryEmbedder();
export const EMBEDDING: EmbeddingSettings = {
  model: EMBEDDER.model,
  dimensions: EMBEDDER.dimensions,
  distance: 'cosine',
};

/** Creates a search scope of organization `o1` and datastore `d1`. Only lexical search is used unless an embedding is set. */
export function createScope(more: Partial<SearchScope> = {}, embedding?: EmbeddingSettings): SearchScope {
  return {
    organizationId: 'o1',
    datastores: [{ id: 'd1', ...(embedding === undefined ? {} : { embedding }) }],
    ...more,
  };
}

/** Creates an in-memory fragment store with the given documents. */
export async function createStore(
  documents: readonly SampleDocument[],
  embedding: EmbeddingSettings | null = null,
): Promise<FragmentStore> {
  const store = createInMemoryFragmentStore();
  for (const [at, document] of documents.entries()) {
    const vectors = embedding === null ? [] : await EMBEDDER.embedDocuments(document.fragments);
    await store.replaceDocument(
      { embedding },
      {
        organizationId: document.organizationId ?? 'o1',
        datastoreId: document.datastoreId ?? 'd1',
        datasourceId: document.datasourceId ?? `s${at}`,
        documentKey: document.key ?? `document-${at}`,
        generation: 1,
        contentHash: 'h',
        customId: document.customId ?? null,
        source: document.source ?? null,
        fragments: document.fragments.map((text, ordinal) => ({
          text,
          context: document.context ?? '',
          page: null,
          location: null,
          rectangles: [],
          tokens: 1,
          vector: vectors[ordinal] ?? null,
        })),
      },
    );
  }
  return store;
}

/** Creates a fragment with a score, as a search returns it. */
export function createScoredFragment(text: string, more: Partial<ScoredFragment> = {}): ScoredFragment {
  return {
    id: text,
    datastoreId: 'd1',
    datasourceId: 's1',
    documentKey: text,
    customId: null,
    source: null,
    page: null,
    location: null,
    rectangles: [],
    version: 'v',
    generation: 1,
    ordinal: 0,
    context: '',
    text,
    score: 1,
    ...more,
  };
}
