import { splitIntoBatches, EmbeddingFailed, type Embedder, type EmbedOptions } from '@quarry/embedder';
import { locateModel, type ModelFolder } from './locate-model.js';
import type { ModelOutput, ModelSpec } from './model-messages.js';
import { ModelFailed, createModelRunner } from './model-process.js';

export interface TransformersEmbedderSettings extends ModelFolder {
  /** The name of the model's subfolder, or `owner/name` on the hub. */
  readonly model: string;
  readonly dimensions: number;
  /** A prefix that is added to passages, for models that were trained with such a prefix, for example `passage: `. */
  readonly documentPrefix?: string | undefined;
  /** A prefix that is added to questions, such as `query: `. */
  readonly queryPrefix?: string | undefined;
  /**
   * Method by which the vectors of a text's tokens are combined. It must match the training of the model. Default:
   * `mean`.
   */
  readonly pooling?: 'mean' | 'cls' | undefined;
}

/** Maximum size of a batch: about one second of work on one core, because a question waits for the running batch. */
const BATCH = { tokens: 2_000, texts: 16 };

/**
 * Opens an embedder that runs a model in a child process. The first call loads the model. Texts that are too long for
 * the model are truncated.
 *
 * @throws EmbeddingFailed: `embedder_refused` if the model is missing or cannot be read, `embedder_unavailable` if the
 * hub is unavailable or the process ends
 */
export function openTransformersEmbedder(settings: TransformersEmbedderSettings): Embedder {
  const { model, dimensions, documentPrefix = '', queryPrefix = '' } = settings;
  const run = createModelRunner(() => findModelSpec(settings));
  // Batches of documents run one after the other. A question waits only for the running batch.
  let previousBatch: Promise<unknown> = Promise.resolve();

  const embedBatch = async (texts: readonly string[], { signal }: EmbedOptions): Promise<ModelOutput> => {
    signal?.throwIfAborted();
    const output = await run({ texts }).catch((error: unknown) => {
      throw toEmbeddingError(error, model);
    });
    for (const vector of output.rows) requireDimensions(vector, model, dimensions);
    return output;
  };

  return {
    model,
    dimensions,
    embedDocuments: async (texts, options = {}) => {
      options.signal?.throwIfAborted();
      const vectors = new Map<number, Float32Array>();
      for (const batch of batchBySimilarLength(texts.map((text) => documentPrefix + text))) {
        const work = previousBatch.then(() =>
          embedBatch(
            batch.map(({ text }) => text),
            options,
          ),
        );
        previousBatch = work.catch(() => undefined);
        const { rows, truncated } = await work;
        for (const text of truncated) options.onTruncated?.({ ...text, index: batch[text.index]?.index ?? text.index });
        const part = batch.map(({ index }, at) => ({ index, vector: rows[at] ?? new Float32Array() }));
        for (const { index, vector } of part) vectors.set(index, vector);
        options.onEmbedded?.(part);
      }
      return texts.map((_, index) => vectors.get(index) ?? new Float32Array());
    },
    embedQuery: async (text, options = {}) => {
      const { rows } = await embedBatch([queryPrefix + text], options);
      return rows[0] ?? new Float32Array();
    },
  };
}

interface IndexedText {
  readonly text: string;
  readonly index: number;
}

/** Groups texts of similar length into batches, because a batch is padded to its longest text. */
function batchBySimilarLength(texts: readonly string[]): readonly (readonly IndexedText[])[] {
  const sorted = texts
    .map((text, index) => ({ text, index }))
    .sort((one, other) => one.text.length - other.text.length);
  let from = 0;
  return splitIntoBatches(
    sorted.map(({ text }) => text),
    BATCH,
  ).map((batch) => {
    from += batch.length;
    return sorted.slice(from - batch.length, from);
  });
}

function findModelSpec({ model, pooling = 'mean', ...models }: TransformersEmbedderSettings): ModelSpec {
  const location = locateModel(models, model);
  if (location !== undefined) return { ...location, output: 'vectors', pooling };
  throw new EmbeddingFailed(
    'embedder_refused',
    `expected the model ${model} in a subfolder of its name in ${models.folder}, found none`,
  );
}

function toEmbeddingError(error: unknown, model: string): unknown {
  if (!(error instanceof ModelFailed)) return error;
  const code = error.isTemporary ? 'embedder_unavailable' : 'embedder_refused';
  return new EmbeddingFailed(code, `the model ${model} ${error.message}`, { cause: error });
}

function requireDimensions(vector: Float32Array, model: string, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw new EmbeddingFailed(
    'embedding_dimensions_mismatch',
    `expected vectors of ${dimensions} dimensions from model ${model}, found ${vector.length}`,
  );
}
