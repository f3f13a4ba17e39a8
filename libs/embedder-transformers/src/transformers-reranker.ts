import { RerankingFailed, type Reranker } from '@quarry/embedder';
import { findModel, type ModelFolder } from './find-model.js';
import { once } from './once.js';

export interface TransformersRerankerSettings extends ModelFolder {
  /** A cross-encoder with one output: its folder's name, or the hub's `owner/name`. */
  readonly model: string;
}

/** Read at once: the signal is looked at in between. */
const PAIRS = 8;

type Score = (query: string, texts: readonly string[]) => Promise<readonly number[]>;

/** A cross-encoder in this process, loaded with the first question. What is too long for it is cut. */
export function openTransformersReranker(settings: TransformersRerankerSettings): Reranker {
  const { model } = settings;
  const loaded = once(() => load(settings));
  return {
    model,
    rerank: async (query, texts, { signal } = {}) => {
      const scores: number[] = [];
      for (let at = 0; at < texts.length; at += PAIRS) {
        signal?.throwIfAborted();
        const score = await loaded();
        signal?.throwIfAborted();
        scores.push(...(await score(query, texts.slice(at, at + PAIRS))));
      }
      return scores;
    },
  };
}

async function load(settings: TransformersRerankerSettings): Promise<Score> {
  const { model, folder } = settings;
  const place = findModel(settings, model);
  if (place === undefined)
    throw new RerankingFailed(`the model ${model} is to be in a folder of its name in ${folder}, found none`);
  try {
    const { AutoModelForSequenceClassification, AutoTokenizer } = await import('@huggingface/transformers');
    const tokenizer = await AutoTokenizer.from_pretrained(place.path, place.options);
    const encoder = await AutoModelForSequenceClassification.from_pretrained(place.path, {
      ...place.options,
      dtype: 'fp32',
    });
    return async (query, texts) => {
      const pairs = tokenizer(
        texts.map(() => query),
        { text_pair: [...texts], padding: true, truncation: true },
      );
      // The model's type in transformers.js is a function that returns any.
      const { logits } = (await encoder(pairs)) as { readonly logits: { sigmoid(): { tolist(): number[][] } } };
      return logits
        .sigmoid()
        .tolist()
        .map(([score = 0]) => score);
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RerankingFailed(`the model ${model} was not loaded: ${reason}`, { cause: error });
  }
}
