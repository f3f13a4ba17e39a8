/**
 * Converts texts to vectors of one model. The conformance suite asserts these guarantees of an embedder:
 *
 * - It returns one vector per text in the given order, of unit length and with `dimensions` numbers.
 *
 * - It returns the same vector for the same text.
 *
 * - It waits if a provider requests a delay. It throws `EmbeddingFailed` for a permanent failure.
 *
 * - It reports each vector of a passage once, as soon as it is available, even if the call fails later.
 */
export interface Embedder {
  readonly model: string;
  readonly dimensions: number;

  /** Embeds passages. Searches compare their vectors with the vectors of questions. */
  embedDocuments(texts: readonly string[], options?: EmbedDocumentsOptions): Promise<readonly Float32Array[]>;

  /** Embeds the question of a search. Some models embed questions differently from passages. */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

export interface EmbedDocumentsOptions extends EmbedOptions {
  /** Receives the vectors of the passages in parts, as they become available. The function must not throw. */
  readonly onEmbedded?: (part: readonly EmbeddedText[]) => void;
  /**
   * Receives each text of which only the beginning is embedded, because the text is too long for the model. Called
   * before `onEmbedded` receives the vector of the text. The function must not throw.
   */
  readonly onTruncated?: (text: TruncatedText) => void;
}

/** Describes the vector of the text at `index` in the texts of the call. */
export interface EmbeddedText {
  readonly index: number;
  readonly vector: Float32Array;
}

/**
 * Describes the embedded length and the full length of the text at `index`, in UTF-16 code units. For a local model, the
 * embedded length is an estimate.
 */
export interface TruncatedText {
  readonly index: number;
  readonly embedded: number;
  readonly length: number;
}

export type EmbeddingFailure =
  /** The provider is unavailable, slow or overloaded. A later attempt may succeed. */
  | 'embedder_unavailable'
  /** The provider rejects the key, the model or the text. */
  | 'embedder_refused'
  /** The vectors of the model have another number of dimensions than configured. */
  | 'embedding_dimensions_mismatch';

export class EmbeddingFailed extends Error {
  readonly code: EmbeddingFailure;

  constructor(code: EmbeddingFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddingFailed';
    this.code = code;
  }
}
