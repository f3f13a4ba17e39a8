import { RerankingFailed, type Reranker } from '@quarry/embedder';
import { findModel, type ModelFolder } from './find-model.js';
import type { ModelToRun } from './model-messages.js';
import { ModelFailed, modelProcess } from './model-process.js';

export interface TransformersRerankerSettings extends ModelFolder {
  /** A cross-encoder with one output: its folder's name, or the hub's `owner/name`. */
  readonly model: string;
}

/** Read at once: the signal is looked at in between. */
const PAIRS = 8;

/** A cross-encoder that runs here, in a process of its own, loaded with the first question. What is too long for it is cut. */
export function openTransformersReranker(settings: TransformersRerankerSettings): Reranker {
  const { model } = settings;
  const ask = modelProcess(() => modelOf(settings));
  return {
    model,
    rerank: async (query, texts, { signal } = {}) => {
      const scores: number[] = [];
      for (let at = 0; at < texts.length; at += PAIRS) {
        signal?.throwIfAborted();
        const rows = await ask({ query, texts: texts.slice(at, at + PAIRS) }).catch((error: unknown) => {
          throw explained(error, model);
        });
        scores.push(...rows.map(([score = 0]) => score));
      }
      return scores;
    },
  };
}

function modelOf({ model, ...models }: TransformersRerankerSettings): ModelToRun {
  const place = findModel(models, model);
  if (place !== undefined) return { ...place, gives: 'scores' };
  throw new RerankingFailed(`the model ${model} is to be in a folder of its name in ${models.folder}, found none`);
}

function explained(error: unknown, model: string): unknown {
  if (!(error instanceof ModelFailed)) return error;
  return new RerankingFailed(`the model ${model} ${error.message}`, { cause: error });
}
