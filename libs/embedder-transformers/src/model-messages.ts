import type { ModelPlace } from './find-model.js';

/** A model, and what it is asked for. */
export type ModelToRun = ModelPlace &
  (
    | { readonly gives: 'vectors'; readonly pooling: 'mean' | 'cls' }
    /** How well each text answers the query. */
    | { readonly gives: 'scores' }
  );

/** What a model is asked. */
export interface ModelRequest {
  readonly id: number;
  readonly texts: readonly string[];
  /** For scores alone. */
  readonly query?: string | undefined;
}

/** One row a text: its vector, or its score alone. */
export type Rows = readonly Float32Array[];

/** What the process of a model answers. */
export type ModelAnswer = { readonly id: number } & (
  | { readonly rows: Rows }
  /** `isAway`: the hub that has the model does not answer. Whatever else is asked fails likewise. */
  | { readonly notLoaded: string; readonly isAway: boolean }
  | { readonly failed: string }
);
