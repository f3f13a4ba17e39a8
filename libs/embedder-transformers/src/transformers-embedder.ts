import { batchesOf, EmbeddingFailed, type Embedder, type EmbedOptions } from '@quarry/embedder';
import { findModel, type ModelFolder } from './find-model.js';
import type { ModelToRun } from './model-messages.js';
import { ModelFailed, modelProcess } from './model-process.js';

export interface TransformersEmbedderSettings extends ModelFolder {
  /** Its folder's name, or the hub's `owner/name`. */
  readonly model: string;
  readonly dimensions: number;
  /** Goes in front of a passage, for models that were trained with one, such as `passage: `. */
  readonly documentPrefix?: string | undefined;
  /** Goes in front of a question, such as `query: `. */
  readonly queryPrefix?: string | undefined;
  /** How the vectors of a text's tokens become one, as the model was trained. */
  readonly pooling?: 'mean' | 'cls' | undefined;
}

/** About a second of work on one core, so that a question does not wait long behind documents. */
const BATCH = { tokens: 2_000, texts: 16 };

/**
 * Embeddings of a model that runs here, in a process of its own. It is loaded with the first text, and what is too long for it
 * is cut.
 *
 * @throws EmbeddingFailed `embedder_refused` where the model is not there or cannot be read, `embedder_unavailable` where the hub
 *   does not answer or the process ends
 */
export function openTransformersEmbedder(settings: TransformersEmbedderSettings): Embedder {
  const { model, dimensions, documentPrefix = '', queryPrefix = '' } = settings;
  const ask = modelProcess(() => modelOf(settings));
  // Documents take turns; a question only waits for what runs already.
  let turn: Promise<unknown> = Promise.resolve();

  const embedBatch = async (texts: readonly string[], { signal }: EmbedOptions): Promise<Float32Array[]> => {
    signal?.throwIfAborted();
    const vectors = await ask({ texts }).catch((error: unknown) => {
      throw explained(error, model);
    });
    return vectors.map((vector) => checked(vector, model, dimensions));
  };

  return {
    model,
    dimensions,
    embedDocuments: async (texts, options = {}) => {
      options.signal?.throwIfAborted();
      const vectors = new Map<number, Float32Array>();
      for (const batch of similarLengths(texts.map((text) => documentPrefix + text))) {
        const work = turn.then(() =>
          embedBatch(
            batch.map(({ text }) => text),
            options,
          ),
        );
        turn = work.catch(() => undefined);
        const found = await work;
        const part = batch.map(({ index }, at) => ({ index, vector: found[at] ?? new Float32Array() }));
        for (const { index, vector } of part) vectors.set(index, vector);
        options.onEmbedded?.(part);
      }
      return texts.map((_, index) => vectors.get(index) ?? new Float32Array());
    },
    embedQuery: async (text, options = {}) => {
      const [vector] = await embedBatch([queryPrefix + text], options);
      return vector ?? new Float32Array();
    },
  };
}

interface Placed {
  readonly text: string;
  readonly index: number;
}

/** Every text of a batch is padded to the longest of it: those of like length go together. */
function similarLengths(texts: readonly string[]): readonly (readonly Placed[])[] {
  const placed = texts
    .map((text, index) => ({ text, index }))
    .sort((one, other) => one.text.length - other.text.length);
  let from = 0;
  return batchesOf(
    placed.map(({ text }) => text),
    BATCH,
  ).map((batch) => {
    from += batch.length;
    return placed.slice(from - batch.length, from);
  });
}

function modelOf({ model, pooling = 'mean', ...models }: TransformersEmbedderSettings): ModelToRun {
  const place = findModel(models, model);
  if (place !== undefined) return { ...place, gives: 'vectors', pooling };
  throw new EmbeddingFailed(
    'embedder_refused',
    `the model ${model} is to be in a folder of its name in ${models.folder}, found none`,
  );
}

function explained(error: unknown, model: string): unknown {
  if (!(error instanceof ModelFailed)) return error;
  const code = error.isPassing ? 'embedder_unavailable' : 'embedder_refused';
  return new EmbeddingFailed(code, `the model ${model} ${error.message}`, { cause: error });
}

function checked(vector: Float32Array, model: string, dimensions: number): Float32Array {
  if (vector.length === dimensions) return vector;
  throw new EmbeddingFailed(
    'embedding_dimensions_mismatch',
    `model ${model} is to give vectors of ${dimensions} dimensions, found ${vector.length}`,
  );
}
