import { GiveUp, type ClaimTokens, type EmbeddingSettings, type IndexDocument } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import {
  DimensionMismatch,
  hasContentOfVersion,
  createDocumentRef,
  type Collection,
  type DocumentVersion,
  type FragmentStore,
} from '@quarry/fragment-store';
import type { Fragment } from '@quarry/document-readers';
import { RunNotWanted } from '@quarry/run-reporting';
import { computeContentHash, getItemOffer } from './content-hash.js';
import { buildEmbeddedText, embedTexts } from './embed-texts.js';
import { discardCachedVectors, removeCachedVectors, VectorCache } from './vector-cache.js';
import { readDocument, type PageSummary, type ReadingParts, type ReadingRun } from './read-document.js';

/** Holds the dependencies of indexing a document. */
export interface IndexingParts extends ReadingParts {
  readonly fragmentStore: FragmentStore;
  /** Returns the embedder for the embedding settings of a datastore, or undefined if none is configured. */
  readonly getEmbedder: (settings: EmbeddingSettings) => Embedder | undefined;
  /** Claims the tokens of a document against the organization's limit, before the document is embedded. */
  readonly claimTokens: ClaimTokens;
}

/** Holds the result of indexing a document. */
export interface Indexed {
  readonly outcome: 'indexed' | 'unchanged';
  readonly fragments: number;
  readonly tokens: number;
  /**
   * Number of fragments of which only the beginning was embedded. If this number is not 0, the vectors of the document
   * are still cached, and the caller removes them after it has reported the number.
   */
  readonly truncatedFragments: number;
  /** Counts of the document's pages. Absent if the document has no pages. */
  readonly pages?: PageSummary;
}

/**
 * Reads, splits, embeds and stores a document. Replaces the stored version with the same document key. If the stored
 * version has the same content hash, embeds and stores nothing.
 *
 * @throws GiveUp with a code and a message for the user if another attempt cannot succeed; RunNotWanted if the run has
 *   ended
 */
export async function indexDocument(parts: IndexingParts, job: IndexDocument, run: ReadingRun): Promise<Indexed> {
  try {
    return await indexDocumentContent(parts, job, run);
  } catch (error) {
    // The content of the document was removed, so no other attempt uses the cached vectors.
    if (error instanceof GiveUp && error.code === 'content_missing') await removeCachedVectors(parts.blobs, job);
    throw error;
  }
}

async function indexDocumentContent(parts: IndexingParts, job: IndexDocument, run: ReadingRun): Promise<Indexed> {
  const { fragments, ...report } = await readDocument(parts, job, run);
  const collection = getCollection(job.embedding);
  const hash = computeContentHash(job, fragments);
  const tokens = fragments.reduce((sum, fragment) => sum + fragment.tokens, 0);
  const stored = await parts.fragmentStore.readStoredDocument(collection, createDocumentRef(job));
  if (stored?.contentHash === hash && (await confirmStoredVersion(parts.fragmentStore, collection, job, hash))) {
    // An earlier start of this run may have stored or confirmed the version and crashed before reporting it.
    const written = { ...createDocumentRef(job), generation: job.generation, contentHash: hash };
    const outcome = hasContentOfVersion(stored, written) ? 'indexed' : 'unchanged';
    const truncatedFragments = outcome === 'indexed' ? await countTruncatedFragments(parts, job, fragments, run) : 0;
    return { outcome, fragments: fragments.length, tokens, truncatedFragments, ...report };
  }

  await claimStorageTokens(parts.claimTokens, job, tokens);
  const version = createDocumentVersion(job, hash, fragments);
  const truncatedFragments = await embedAndStoreVersion(parts, job, version, run);
  return { outcome: 'indexed', fragments: fragments.length, tokens, truncatedFragments, ...report };
}

/**
 * Counts the truncated fragments of a version that an earlier start of the job stored. The vectors of that version are
 * still cached. If no fragment was truncated, removes all cached vectors of the document.
 */
async function countTruncatedFragments(
  { blobs }: IndexingParts,
  job: IndexDocument,
  fragments: readonly Fragment[],
  { log }: ReadingRun,
): Promise<number> {
  const { embedding } = job;
  if (embedding === undefined) return 0;
  const texts = fragments.map(buildEmbeddedText);
  const cache = await VectorCache.openCache(blobs, job, { embedding, log }, texts);
  const truncated = texts.filter((text) => cache.findEmbeddedLength(text) !== undefined);
  if (truncated.length === 0) await discardCachedVectors(blobs, job, log);
  return truncated.length;
}

/**
 * Claims the document's tokens against the limit of the organization. Called before embedding, which can cost money.
 *
 * @throws GiveUp with `usage_limit_reached`, or `content_missing` if the datasource was deleted; RunNotWanted if the run
 *   has ended
 */
async function claimStorageTokens(claimTokens: ClaimTokens, job: IndexDocument, tokens: number): Promise<void> {
  const { organizationId, datasourceId, runId, documentKey } = job;
  const { granted, code, message } = await claimTokens({ organizationId, datasourceId, runId, documentKey, tokens });
  if (code === 'run_ended') throw new RunNotWanted('cancelled');
  if (!granted) throw new GiveUp(code ?? 'usage_limit_reached', message ?? 'The limit of stored tokens is reached.');
}

/**
 * Stores a document version, with vectors if the datastore has an embedding. @returns the number of fragments of which
 * only the beginning was embedded
 */
async function embedAndStoreVersion(
  parts: IndexingParts,
  job: IndexDocument,
  version: DocumentVersion,
  run: ReadingRun,
): Promise<number> {
  const { embedding: settings } = job;
  if (settings === undefined) {
    await replaceStoredVersion(parts, job, version, run);
    return 0;
  }

  let truncatedFragments = 0;
  run.onProgress('embedding');
  const texts = version.fragments.map(buildEmbeddedText);
  const cache = await VectorCache.openCache(parts.blobs, job, { embedding: settings, log: run.log }, texts);
  try {
    const vectors = await embedTexts(texts, {
      settings,
      log: run.log,
      cache,
      getEmbedder: parts.getEmbedder,
      signal: run.signal,
      onProgress: (progress) => {
        run.onProgress('embedding', progress);
      },
      onTruncated: (fragments) => {
        truncatedFragments = fragments;
      },
    });
    // If the process crashes before it reports the number, the next start counts the truncated fragments in the cache.
    if (truncatedFragments > 0) await cache.writeAll();
    const fragments = version.fragments.map((fragment, index) => ({ ...fragment, vector: vectors[index] ?? null }));
    await replaceStoredVersion(parts, job, { ...version, fragments }, run);
  } catch (error) {
    await cache.writeAll();
    throw error;
  }
  if (truncatedFragments === 0) await cache.removeVectors();
  return truncatedFragments;
}

async function replaceStoredVersion(
  parts: IndexingParts,
  job: IndexDocument,
  version: DocumentVersion,
  run: ReadingRun,
): Promise<void> {
  run.onProgress('indexing');
  run.signal.throwIfAborted();
  try {
    await parts.fragmentStore.replaceDocument(getCollection(job.embedding), version);
  } catch (error) {
    if (!(error instanceof DimensionMismatch)) throw error;
    throw new GiveUp('embedding_dimensions_mismatch', `The vectors do not match the datastore: ${error.message}.`, {
      cause: error,
    });
  }
}

/**
 * Marks the stored version as the version of the job's run if its content hash is `contentHash`. Afterwards, no older
 * run can replace this version.
 *
 * @returns whether the version was confirmed
 */
function confirmStoredVersion(
  store: FragmentStore,
  collection: Collection,
  job: IndexDocument,
  contentHash: string,
): Promise<boolean> {
  return store.confirmDocument(collection, createDocumentRef(job), { generation: job.generation, contentHash });
}

/**
 * Returns the collection that contains the fragments of datastores with this embedding. @param embedding undefined for
 * datastores without embeddings
 */
export function getCollection(embedding: EmbeddingSettings | undefined): Collection {
  return { embedding: embedding ?? null };
}

function createDocumentVersion(job: IndexDocument, hash: string, fragments: readonly Fragment[]): DocumentVersion {
  const offer = getItemOffer(job);
  return {
    ...createDocumentRef(job),
    generation: job.generation,
    contentHash: hash,
    customId: job.customId ?? null,
    source: job.source ?? null,
    ...(offer === undefined ? {} : { offer }),
    ...(job.metadata === undefined ? {} : { metadata: job.metadata }),
    fragments: fragments.map(({ text, context, page, location, rectangles, tokens }) => ({
      text,
      context,
      page,
      location,
      rectangles,
      tokens,
      vector: null,
    })),
  };
}
