import type { EmbedRequest, EmbedResponse } from '@quarry/contracts';
import { EmbeddingFailed, type Embedder } from '@quarry/embedder';
import type { Log } from '@quarry/service-kit';
import { estimateTokens } from '../answering/tokens.js';
import { problem } from '../query-problems.js';
import type { EmbedderFor } from '../retrieval/embed-query.js';

interface EmbedCall {
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Returns one vector per text, and the total number of tokens. The vector of a text equals the vector of a fragment
 * with this text in a datastore with the same embedding settings.
 *
 * @throws Problem `model_not_configured`, `model_refused`, `model_unavailable`; the signal's reason when it aborts
 */
export async function embedClientTexts(
  { getEmbedder }: { readonly getEmbedder: EmbedderFor },
  { embedding, texts }: EmbedRequest,
  call: EmbedCall,
): Promise<EmbedResponse> {
  const embedder = getEmbedder(embedding);
  if (embedder === undefined) {
    throw problem('model_not_configured', `No source of embeddings is configured for the model ${embedding.model}.`);
  }
  const vectors = await embedOrThrow(embedder, texts, call);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return { vectors: vectors.map((vector) => [...vector]), tokens };
}

async function embedOrThrow(
  embedder: Embedder,
  texts: readonly string[],
  { log, signal }: EmbedCall,
): Promise<readonly Float32Array[]> {
  try {
    return await embedder.embedDocuments(texts, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbeddingFailed)) throw error;
    log.warn({ err: error, model: embedder.model }, 'the texts of a request were not embedded');
    throw error.code === 'embedder_unavailable'
      ? problem('model_unavailable', 'The provider of the embedding model is unavailable. Try again later.')
      : problem(
          'model_refused',
          'The embedding model refused the texts. See the log of the query service for the reason.',
        );
  }
}
