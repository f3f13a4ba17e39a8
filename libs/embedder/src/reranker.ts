/**
 * Scores how well passages answer a question. Slower and more accurate than comparing vectors. Its guarantees:
 *
 * - It returns one score in [0, 1] per text in the given order. Higher is better. Scores are comparable within one
 * call.
 *
 * - It throws soon after its signal is aborted.
 *
 * - Any other failure throws `RerankingFailed`.
 */
export interface Reranker {
  /** The name of the model, for logs. */
  readonly model: string;
  rerank(
    query: string,
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly number[]>;
}

/** Reports that reranking failed, without any score. The message is for logs, because it may quote the provider. */
export class RerankingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RerankingFailed';
  }
}
