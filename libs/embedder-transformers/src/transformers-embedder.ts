import { batchesOf, EmbeddingFailed, type Embedder, type EmbedOptions } from '@quarry/embedder';
import { findModel, type ModelFolder } from './find-model.js';
import { once } from './once.js';

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

/** Rows of numbers, one a text. */
type Extract = (texts: string[]) => Promise<readonly (readonly number[])[]>;

/**
 * Embeddings of a model in this process. It is loaded with the first text, and what is too long for it is cut.
 *
 * @throws EmbeddingFailed `embedder_refused` where the model is not there or cannot be read, `embedder_unavailable` where the hub
 *   does not answer
 */
export function openTransformersEmbedder(settings: TransformersEmbedderSettings): Embedder {
  const { model, dimensions, documentPrefix = '', queryPrefix = '' } = settings;
  const extractor = once(() => loadExtractor(settings));
  // Documents take turns; a question only waits for what runs already.
  let turn: Promise<unknown> = Promise.resolve();

  const embedBatch = async (texts: readonly string[], { signal }: EmbedOptions): Promise<Float32Array[]> => {
    signal?.throwIfAborted();
    const extract = await extractor();
    signal?.throwIfAborted();
    return (await extract([...texts])).map((vector) => checked(vector, model, dimensions));
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

async function loadExtractor({ pooling = 'mean', ...settings }: TransformersEmbedderSettings): Promise<Extract> {
  const place = findModel(settings, settings.model);
  if (place === undefined)
    throw new EmbeddingFailed(
      'embedder_refused',
      `the model ${settings.model} is to be in a folder of its name in ${settings.folder}, found none`,
    );
  try {
    const { pipeline } = await import('@huggingface/transformers');
    const extract = await pipeline('feature-extraction', place.path, { ...place.options, dtype: 'fp32' });
    return async (texts) => {
      const tensor = await extract(texts, { pooling, normalize: true });
      // Two dimensions, because the texts are a list and are pooled.
      const rows = tensor.tolist() as number[][];
      tensor.dispose();
      return rows;
    };
  } catch (error) {
    const isAway = error instanceof TypeError && error.message === 'fetch failed';
    const message = `the model ${settings.model} was not loaded: ${error instanceof Error ? error.message : String(error)}`;
    throw new EmbeddingFailed(isAway ? 'embedder_unavailable' : 'embedder_refused', message, { cause: error });
  }
}

function checked(vector: readonly number[], model: string, dimensions: number): Float32Array {
  if (vector.length === dimensions) return Float32Array.from(vector);
  throw new EmbeddingFailed(
    'embedding_dimensions_mismatch',
    `model ${model} is to give vectors of ${dimensions} dimensions, found ${vector.length}`,
  );
}
