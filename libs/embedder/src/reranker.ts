/**
 * How well passages answer a question, read side by side with it: slower than vectors, and better. Its guarantees:
 *
 * - One score a text, in the order given, in [0, 1]; higher is better. Comparable within one call.
 * - When the signal aborts, `rerank` throws soon after.
 * - Whatever else goes wrong is thrown as `RerankingFailed`.
 */
export interface Reranker {
  /** For logs. */
  readonly model: string;
  rerank(
    query: string,
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly number[]>;
}

/** Nothing was scored. The message is for logs: it may quote the provider. */
export class RerankingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RerankingFailed';
  }
}
