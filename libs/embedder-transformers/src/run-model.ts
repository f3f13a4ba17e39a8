import { AutoModelForSequenceClassification, AutoTokenizer, pipeline } from '@huggingface/transformers';
import type { ModelRequest, ModelToRun, Rows } from './model-messages.js';

/** A model that is loaded. What is too long for it is cut. */
export type RunModel = (request: ModelRequest) => Promise<Rows>;

/** @throws what transformers.js throws when the model is not there or cannot be read */
export function loadModel(model: ModelToRun): Promise<RunModel> {
  return model.gives === 'vectors' ? loadExtractor(model) : loadCrossEncoder(model);
}

async function loadExtractor({ path, options, pooling }: ModelToRun & { gives: 'vectors' }): Promise<RunModel> {
  const extract = await pipeline('feature-extraction', path, { ...options, dtype: 'fp32' });
  return async ({ texts }) => {
    const tensor = await extract([...texts], { pooling, normalize: true });
    // Two dimensions, because the texts are a list and are pooled.
    const rows = tensor.tolist() as number[][];
    tensor.dispose();
    return rows.map((row) => Float32Array.from(row));
  };
}

async function loadCrossEncoder({ path, options }: ModelToRun): Promise<RunModel> {
  const tokenizer = await AutoTokenizer.from_pretrained(path, options);
  const encoder = await AutoModelForSequenceClassification.from_pretrained(path, { ...options, dtype: 'fp32' });
  return async ({ query = '', texts }) => {
    const pairs = tokenizer(
      texts.map(() => query),
      { text_pair: [...texts], padding: true, truncation: true },
    );
    // The model's type in transformers.js is a function that returns any.
    const { logits } = (await encoder(pairs)) as { readonly logits: { sigmoid(): { tolist(): number[][] } } };
    return logits
      .sigmoid()
      .tolist()
      .map((row) => Float32Array.from(row));
  };
}
