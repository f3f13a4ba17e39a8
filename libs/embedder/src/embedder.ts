/**
 * Texts to vectors of one model. Its guarantees, each asserted by the conformance suite:
 *
 * - One vector a text, in the order given, each of unit length and `dimensions` long.
 * - The same text gives the same vector.
 * - A provider that asks to wait is waited for; what fails for good throws `EmbeddingFailed`.
 * - Every vector of a passage is told once, as soon as it is there: also those of a call that fails later.
 */
export interface Embedder {
  readonly model: string;
  readonly dimensions: number;

  /** Vectors of passages, which are to be found. */
  embedDocuments(texts: readonly string[], options?: EmbedDocumentsOptions): Promise<readonly Float32Array[]>;

  /** The vector of a question, which is to find. Some models embed the two differently. */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

export interface EmbedDocumentsOptions extends EmbedOptions {
  /** Hears of the vectors in the parts in which they come. It does not throw. */
  readonly onEmbedded?: (part: readonly EmbeddedText[]) => void;
  /** Receives each text whose beginning alone is embedded, because the model takes no longer one. It does not throw. */
  readonly onTruncated?: (text: TruncatedText) => void;
}

/** The vector of the text at `index` of those that were given. */
export interface EmbeddedText {
  readonly index: number;
  readonly vector: Float32Array;
}

/** How much of the text at `index` is embedded, in UTF-16 code units. */
export interface TruncatedText {
  readonly index: number;
  readonly embedded: number;
  readonly length: number;
}

export type EmbeddingFailure =
  /** The provider is away, slow or overloaded: later may work. */
  | 'embedder_unavailable'
  /** The provider refuses the key, the model or the text. */
  | 'embedder_refused'
  /** The vectors are not as long as configured. */
  | 'embedding_dimensions_mismatch';

export class EmbeddingFailed extends Error {
  readonly code: EmbeddingFailure;

  constructor(code: EmbeddingFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddingFailed';
    this.code = code;
  }
}
