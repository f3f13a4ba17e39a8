import { RerankingFailed, type Reranker } from '@quarry/embedder';
import { locateModel, type ModelFolder } from './locate-model.js';
import type { ModelSpec } from './model-messages.js';
import { ModelFailed, createModelRunner } from './model-process.js';

export interface TransformersRerankerSettings extends ModelFolder {
  /** The name of the subfolder of a cross-encoder with one output, or its name `owner/name` on the hub. */
  readonly model: string;
}

/** Number of pairs of query and text per request to the child process. The abort signal is checked between requests. */
const PAIRS_PER_REQUEST = 8;

/**
 * Opens a reranker that runs a cross-encoder in a child process. The first call loads the model. Texts that are too
 * long for the model are truncated.
 */
export function openTransformersReranker(settings: TransformersRerankerSettings): Reranker {
  const { model } = settings;
  const run = createModelRunner(() => findModelSpec(settings));
  return {
    model,
    rerank: async (query, texts, { signal } = {}) => {
      const scores: number[] = [];
      for (let at = 0; at < texts.length; at += PAIRS_PER_REQUEST) {
        signal?.throwIfAborted();
        const { rows } = await run({ query, texts: texts.slice(at, at + PAIRS_PER_REQUEST) }).catch(
          (error: unknown) => {
            throw toRerankingError(error, model);
          },
        );
        scores.push(...rows.map(([score = 0]) => score));
      }
      return scores;
    },
  };
}

function findModelSpec({ model, ...models }: TransformersRerankerSettings): ModelSpec {
  const location = locateModel(models, model);
  if (location !== undefined) return { ...location, output: 'scores' };
  throw new RerankingFailed(`expected the model ${model} in a subfolder of its name in ${models.folder}, found none`);
}

function toRerankingError(error: unknown, model: string): unknown {
  if (!(error instanceof ModelFailed)) return error;
  return new RerankingFailed(`the model ${model} ${error.message}`, { cause: error });
}
