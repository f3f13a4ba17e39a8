import { AttemptFailed, GiveUp, type EmbeddingSettings, type Progress } from '@quarry/contracts';
import { EmbeddingFailed, type EmbeddedText, type Embedder, type TruncatedText } from '@quarry/embedder';
import type { Fragment } from '@quarry/document-readers';
import type { VectorCache, WarningLog } from './vector-cache.js';

/** Holds the embedder, the vector cache and the callbacks for embedding the fragments of a document. */
export interface Embedding {
  readonly settings: EmbeddingSettings;
  readonly getEmbedder: (settings: EmbeddingSettings) => Embedder | undefined;
  /** The vectors that this attempt and earlier attempts have computed. */
  readonly cache: VectorCache;
  readonly signal: AbortSignal;
  readonly log: WarningLog;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Receives the number of fragments of which the model embeds only the beginning, in this attempt or an earlier one.
   * Called once, after embedding, and only if there are such fragments.
   */
  readonly onTruncated: (fragments: number) => void;
}

const ADVICE = 'use smaller fragments, or set QUARRY_EMBEDDING_MAX_TEXT_LENGTH to avoid rejected requests';

/** Returns the text that is embedded for a fragment: the document name, the headings and the text of the fragment. */
export function buildEmbeddedText({ context, text }: Pick<Fragment, 'context' | 'text'>): string {
  return `${context}\n\n${text}`;
}

/**
 * Embeds each distinct text once, except texts with a cached vector.
 *
 * @returns the vector of each text, in the order of `texts`
 * @throws GiveUp if no embedder is configured or the embedder rejects a text; AttemptFailed if the embedder is
 *   unavailable
 */
export async function embedTexts(texts: readonly string[], embedding: Embedding): Promise<readonly Float32Array[]> {
  const { settings, cache, signal, onProgress } = embedding;
  const embedder = embedding.getEmbedder(settings);
  if (embedder === undefined) {
    throw new GiveUp(
      'embedder_not_configured',
      `The datastore is embedded with ${settings.model}, but no embedder is configured on the ingestion workers.`,
    );
  }
  const missing = [...new Set(texts)].filter((text) => cache.findVector(text) === undefined);
  const embeddedLengths = new Map<number, number>();
  const onTruncated = ({ index, embedded }: TruncatedText): void => void embeddedLengths.set(index, embedded);
  let done = texts.length - missing.length;
  const reportProgress = (): void => {
    onProgress({ done, total: texts.length, unit: 'fragments' });
  };
  const onEmbedded = (part: readonly EmbeddedText[]): void => {
    const embedded = part.map(({ index, vector }) => ({
      text: missing[index] ?? '',
      vector,
      embeddedLength: embeddedLengths.get(index),
    }));
    cache.addVectors(embedded, { isComplete: part.length === missing.length });
    done += part.length;
    reportProgress();
  };
  reportProgress();
  await runAndConvertEmbedderErrors(() => embedder.embedDocuments(missing, { signal, onEmbedded, onTruncated }));
  const truncated = texts.flatMap((text, index) => {
    const embedded = cache.findEmbeddedLength(text);
    return embedded === undefined ? [] : [{ index, embedded, length: text.length }];
  });
  const [first] = truncated;
  if (first !== undefined) {
    embedding.onTruncated(truncated.length);
    embedding.log.warn(
      { model: settings.model, fragments: truncated.length, ...first },
      `fragments exceed the length limit of the embedding model, which embeds only their beginnings: ${ADVICE}`,
    );
  }
  return texts.map((text) => cache.findVector(text) ?? new Float32Array());
}

/**
 * Runs a request to the embedder, and converts an `EmbeddingFailed` to an error that decides whether the job is
 * retried: `AttemptFailed` or `GiveUp`.
 */
async function runAndConvertEmbedderErrors(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error;
    const Failure = error.code === 'embedder_unavailable' ? AttemptFailed : GiveUp;
    throw new Failure(error.code, error.message, { cause: error });
  }
}
