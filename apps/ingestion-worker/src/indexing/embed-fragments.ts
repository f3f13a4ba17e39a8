import { GiveUp, type EmbeddingSettings, type Progress } from '@quarry/contracts';
import { EmbeddingFailed, type Embedder } from '@quarry/embedder';
import type { Fragment } from '../splitting/fragment.js';

/** How many fragments are asked for at once; the embedder makes its own batches of them. */
const CHUNK = 256;

export interface Embedding {
  readonly settings: EmbeddingSettings | undefined;
  readonly embedderFor: (settings: EmbeddingSettings) => Embedder | undefined;
  readonly signal: AbortSignal;
  /** Whether the job fails for good when the embedder is away now. */
  readonly lastAttempt: boolean;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * @returns a vector a fragment, in order; nulls where the datastore is searched by words alone
 * @throws GiveUp when no embedder is configured or the one there refuses
 */
export async function embedFragments(
  fragments: readonly Fragment[],
  embedding: Embedding,
): Promise<readonly (Float32Array | null)[]> {
  const { settings, signal, onProgress } = embedding;
  if (settings === undefined) return fragments.map(() => null);
  const embedder = embedding.embedderFor(settings);
  if (embedder === undefined) {
    throw new GiveUp(
      'embedder_not_configured',
      `The datastore is embedded with ${settings.model}, and no embedder is configured.`,
    );
  }
  const vectors: Float32Array[] = [];
  for (let start = 0; start < fragments.length; start += CHUNK) {
    onProgress({ done: start, total: fragments.length, unit: 'fragments' });
    const texts = fragments.slice(start, start + CHUNK).map(({ context, text }) => `${context}\n\n${text}`);
    vectors.push(...(await embed(embedder, texts, signal, embedding.lastAttempt)));
  }
  return vectors;
}

async function embed(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
  lastAttempt: boolean,
): Promise<readonly Float32Array[]> {
  try {
    return await embedder.embedDocuments(texts, { signal });
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error;
    if (error.code === 'embedder_unavailable' && !lastAttempt) throw error;
    throw new GiveUp(error.code, error.message, { cause: error });
  }
}
