/**
 * Scores how well passages answer a question. Reranking is slower and more accurate than a comparison of vectors. A
 * reranker guarantees:
 *
 * - It returns one score in [0, 1] per text in the given order. Higher is better. Scores are comparable within one
 *   call.
 *
 * - It throws the abort reason soon after the signal of a call is aborted.
 *
 * - It throws `RerankingFailed` for every failure that is not an abort.
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

/**
 * Reports that reranking failed and returned no scores. The message is for logs only, because it may quote the
 * provider.
 */
export class RerankingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RerankingFailed';
  }
}
