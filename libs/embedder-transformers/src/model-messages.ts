import type { TruncatedText } from '@quarry/embedder';
import type { ModelLocation } from './locate-model.js';

/** Describes a model and the kind of its output. */
export type ModelSpec = ModelLocation &
  (
    | { readonly output: 'vectors'; readonly pooling: 'mean' | 'cls' }
    /** The model scores how well each text answers the query. */
    | { readonly output: 'scores' }
  );

/** Describes a request to the child process that runs a model. */
export interface ModelRequest {
  readonly id: number;
  readonly texts: readonly string[];
  /** Query with which the texts are scored. Present only if the model computes scores. */
  readonly query?: string | undefined;
}

export interface ModelOutput {
  /** One row per text: the vector of the text, or the score of the text as the only element. */
  readonly rows: readonly Float32Array[];
  /** The texts that exceed the limit of the model, with their indexes in the request. Empty if the model computes scores. */
  readonly truncated: readonly TruncatedText[];
}

/** Describes a response of the child process that runs a model. */
export type ModelResponse = { readonly id: number } & (
  | { readonly output: ModelOutput }
  /** `isUnavailable`: the hub is unavailable, so a later attempt to load the model may succeed. */
  | { readonly loadError: string; readonly isUnavailable: boolean }
  | { readonly error: string }
);
