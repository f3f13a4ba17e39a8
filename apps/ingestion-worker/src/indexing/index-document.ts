import type { BlobStore } from '@quarry/blob-store';
import {
  GiveUp,
  type ClaimTokens,
  type EmbeddingSettings,
  type IndexDocument,
  type Progress,
  type Stage,
} from '@quarry/contracts';
import { ReadingFailed, type DocumentReader, ReadingProcessDied, type Fragment } from '@quarry/document-readers';
import type { Embedder } from '@quarry/embedder';
import {
  DimensionMismatch,
  isWrittenBy,
  storedDocument,
  type Collection,
  type DocumentVersion,
  type FragmentStore,
} from '@quarry/fragment-store';
import { contentHash } from './content-hash.js';
import { embeddedText, embedTexts } from './embed-texts.js';
import { forgetVectors, KeptVectors, type WarningLog } from './kept-vectors.js';
import { withLocalCopy } from './local-copy.js';
import { offerOf } from './offer-of.js';

/** What indexing works with. */
export interface IndexingParts {
  readonly blobs: BlobStore;
  readonly fragmentStore: FragmentStore;
  readonly reader: DocumentReader;
  /** Undefined where no embedder is configured. */
  readonly embedderFor: (settings: EmbeddingSettings) => Embedder | undefined;
  /** A document with more bytes is refused. */
  readonly maxFileBytes: number;
  /** Asked before a document is embedded. */
  readonly claimTokens: ClaimTokens;
}

export interface IndexingRun {
  readonly signal: AbortSignal;
  readonly lastAttempt: boolean;
  readonly log: WarningLog;
  /** Hears what is being done, often. */
  readonly onProgress: (stage: Stage, progress?: Progress) => void;
}

/** What became of a document. */
export interface Indexed {
  readonly outcome: 'indexed' | 'unchanged';
  readonly fragments: number;
  readonly tokens: number;
  /** Fragments that were embedded by their beginnings. */
  readonly truncatedFragments: number;
}

/**
 * Reads, splits, embeds and stores one document, in place of what was stored under its key. What is stored already as it
 * would be stored now is left alone.
 *
 * @throws GiveUp with a code and words for a person when trying again cannot help
 */
export async function indexDocument(parts: IndexingParts, job: IndexDocument, run: IndexingRun): Promise<Indexed> {
  try {
    return await indexContent(parts, job, run);
  } catch (error) {
    // No later start can use the vectors.
    if (error instanceof GiveUp && error.code === 'content_missing') await forgetVectors(parts.blobs, job);
    throw error;
  }
}

async function indexContent(parts: IndexingParts, job: IndexDocument, run: IndexingRun): Promise<Indexed> {
  const fragments = await readFragments(parts, job, run);
  const collection = collectionOf(job.embedding);
  const hash = contentHash(job, fragments);
  const tokens = fragments.reduce((sum, fragment) => sum + fragment.tokens, 0);
  const stored = await parts.fragmentStore.describeDocument(collection, storedDocument(job));
  if (stored?.contentHash === hash && (await isConfirmed(parts.fragmentStore, collection, job, hash))) {
    // An earlier start of this run may have written it, or only confirmed it, and died before it could report that.
    const written = { ...storedDocument(job), generation: job.generation, contentHash: hash };
    const outcome = isWrittenBy(stored, written) ? 'indexed' : 'unchanged';
    if (outcome === 'indexed' && job.embedding !== undefined) await forgetVectors(parts.blobs, job);
    return { outcome, fragments: fragments.length, tokens, truncatedFragments: 0 };
  }

  await claimRoom(parts.claimTokens, job, tokens);
  const version = versionOf(job, hash, fragments);
  const truncatedFragments = await embedAndStore(parts, job, version, run);
  return { outcome: 'indexed', fragments: fragments.length, tokens, truncatedFragments };
}

/** Stores the version, with vectors if the datastore has an embedder. @returns the number of truncated fragments */
async function embedAndStore(
  parts: IndexingParts,
  job: IndexDocument,
  version: DocumentVersion,
  run: IndexingRun,
): Promise<number> {
  const { embedding: settings } = job;
  if (settings === undefined) {
    await store(parts, job, version, run);
    return 0;
  }
  let truncatedFragments = 0;
  run.onProgress('embedding');
  const texts = version.fragments.map(embeddedText);
  const kept = await KeptVectors.open(parts.blobs, job, { embedding: settings, log: run.log }, texts);
  try {
    const vectors = await embedTexts(texts, {
      settings,
      log: run.log,
      kept,
      embedderFor: parts.embedderFor,
      signal: run.signal,
      onProgress: (progress) => {
        run.onProgress('embedding', progress);
      },
      onTruncated: (fragments) => {
        truncatedFragments = fragments;
      },
    });
    const fragments = version.fragments.map((fragment, index) => ({ ...fragment, vector: vectors[index] ?? null }));
    await store(parts, job, { ...version, fragments }, run);
  } catch (error) {
    await kept.saved();
    throw error;
  }
  await kept.forget();
  return truncatedFragments;
}

async function store(
  parts: IndexingParts,
  job: IndexDocument,
  version: DocumentVersion,
  run: IndexingRun,
): Promise<void> {
  const collection = collectionOf(job.embedding);
  run.onProgress('indexing');
  run.signal.throwIfAborted();
  await replace(parts.fragmentStore, collection, version);
}

/** An older run that is still under way must not replace what this one has found to be right. */
function isConfirmed(
  store: FragmentStore,
  collection: Collection,
  job: IndexDocument,
  contentHash: string,
): Promise<boolean> {
  return store.confirmDocument(collection, storedDocument(job), { generation: job.generation, contentHash });
}

/** The collection that a datastore's fragments are in. */
export function collectionOf(embedding: EmbeddingSettings | undefined): Collection {
  return { embedding: embedding ?? null };
}

async function readFragments(
  { blobs, reader, maxFileBytes }: IndexingParts,
  job: IndexDocument,
  { signal, lastAttempt, onProgress, log }: IndexingRun,
): Promise<readonly Fragment[]> {
  onProgress('reading');
  const file = { mimeType: job.mimeType, name: job.name, nameIsFileName: job.datasourceType === 'file' };
  const read = (path: string): Promise<readonly Fragment[]> =>
    reader.read(
      { path, file, splitting: job.splitting },
      {
        signal,
        onProgress: (progress) => {
          onProgress('reading', progress);
        },
        onReadAgain: (reason) => {
          log.warn({ err: reason, documentKey: job.documentKey }, 'a reader process died: the document is read again');
        },
      },
    );
  const source = { blobs, key: job.blobKey, part: job.blobPart, maxBytes: maxFileBytes };
  const fragments = await withLocalCopy(source, signal, read).catch((error: unknown) => {
    throw reasonToGiveUp(error, lastAttempt) ?? error;
  });
  if (fragments.length === 0) {
    const advice = job.mimeType === 'application/pdf' ? ' A scan needs its text recognised first.' : '';
    throw new GiveUp('no_text_found', `No text was found in ${job.name}.${advice}`);
  }
  return fragments;
}

/** A process that was killed from outside on every attempt says nothing about the file. */
function reasonToGiveUp(error: unknown, lastAttempt: boolean): GiveUp | undefined {
  if (error instanceof ReadingFailed) return new GiveUp(error.code, error.message, { cause: error });
  if (!lastAttempt || !(error instanceof ReadingProcessDied) || error.signal === 'SIGKILL') return undefined;
  return new GiveUp('file_unreadable', 'The file crashed the reader process.', { cause: error });
}

function versionOf(job: IndexDocument, hash: string, fragments: readonly Fragment[]): DocumentVersion {
  const offer = offerOf(job);
  return {
    ...storedDocument(job),
    generation: job.generation,
    contentHash: hash,
    customId: job.customId ?? null,
    source: job.source ?? null,
    ...(offer === undefined ? {} : { offer }),
    fragments: fragments.map(({ text, context, page, location, tokens }) => ({
      text,
      context,
      page,
      location,
      tokens,
      vector: null,
    })),
  };
}

async function replace(fragments: FragmentStore, collection: Collection, version: DocumentVersion): Promise<void> {
  try {
    await fragments.replaceDocument(collection, version);
  } catch (error) {
    if (!(error instanceof DimensionMismatch)) throw error;
    throw new GiveUp('embedding_dimensions_mismatch', `The datastore cannot take the vectors: ${error.message}.`, {
      cause: error,
    });
  }
}

/**
 * Makes sure that a document's tokens may be stored, before anything is paid for them.
 *
 * @throws GiveUp with `usage_limit_reached`, or `content_missing` when the datasource is gone
 */
async function claimRoom(claimTokens: ClaimTokens, job: IndexDocument, tokens: number): Promise<void> {
  const { organizationId, datasourceId, documentKey } = job;
  const { granted, code, message } = await claimTokens({ organizationId, datasourceId, documentKey, tokens });
  if (!granted) throw new GiveUp(code ?? 'usage_limit_reached', message ?? 'The limit of stored tokens is reached.');
}
