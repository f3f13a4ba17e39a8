import {
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  pipeline,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import type { TruncatedText } from '@quarry/embedder';
import { fetchFromHub } from './fetch-from-hub.js';
import type { ModelOutput, ModelRequest, ModelSpec } from './model-messages.js';

/** Runs a loaded model. Truncates texts that are too long for the model. */
export type RunModel = (request: ModelRequest) => Promise<ModelOutput>;

/**
 * Names of the outputs that transformers.js reads, by the kind of model. They are checked when a model is loaded,
 * because transformers.js itself would fail only at the first text if an output is missing.
 */
const OUTPUTS = { vectors: ['last_hidden_state', 'token_embeddings', 'logits'], scores: ['logits'] };

/**
 * Loads a model.
 *
 * @throws the errors of transformers.js if the model is missing or cannot be read; the errors of `fetchFromHub`; Error
 * if the model has none of the expected outputs
 */
export function loadModel(model: ModelSpec): Promise<RunModel> {
  env.fetch = fetchFromHub;
  return model.output === 'vectors' ? loadExtractor(model) : loadCrossEncoder(model);
}

/** Loads a model whose outputs are vectors. */
async function loadExtractor({ path, options, pooling }: ModelSpec & { output: 'vectors' }): Promise<RunModel> {
  const extract = await pipeline('feature-extraction', path, { ...options, dtype: 'fp32' });
  requireModelOutput(extract.model.sessions, OUTPUTS.vectors);
  return async ({ texts }) => {
    const tensor = await extract([...texts], { pooling, normalize: true });
    // The result has one row per text, because pooling combines the vectors of the tokens of a text.
    const rows = tensor.tolist() as number[][];
    tensor.dispose();
    return {
      rows: rows.map((row) => Float32Array.from(row)),
      truncated: texts.flatMap((text, index) => measureTruncation(extract.tokenizer, text, index)),
    };
  };
}

/**
 * Measures how much of a text the model reads. Returns an empty list if the model reads the whole text. The embedded
 * length is an estimate, because transformers.js does not return the positions of tokens.
 */
function measureTruncation(tokenizer: PreTrainedTokenizer, text: string, index: number): readonly TruncatedText[] {
  const limit = tokenizer.model_max_length as number; // transformers.js declares it as `any`
  const tokens = tokenizer.encode(text).length;
  const { length } = text;
  return tokens > limit ? [{ index, embedded: Math.floor((length * limit) / tokens), length }] : [];
}

/** Loads a model whose outputs are scores of pairs of query and text. */
async function loadCrossEncoder({ path, options }: ModelSpec): Promise<RunModel> {
  const tokenizer = await AutoTokenizer.from_pretrained(path, options);
  const encoder = await AutoModelForSequenceClassification.from_pretrained(path, { ...options, dtype: 'fp32' });
  requireModelOutput(encoder.sessions, OUTPUTS.scores);
  return async ({ query = '', texts }) => {
    const pairs = tokenizer(
      texts.map(() => query),
      { text_pair: [...texts], padding: true, truncation: true },
    );
    // In transformers.js, the type of the model is a function that returns `any`.
    const { logits } = (await encoder(pairs)) as { readonly logits: { sigmoid(): { tolist(): number[][] } } };
    const scores = logits.sigmoid().tolist();
    return { rows: scores.map((row) => Float32Array.from(row)), truncated: [] };
  };
}

/** Checks that a session has one of the expected outputs. @throws Error otherwise */
function requireModelOutput(
  sessions: Readonly<Record<string, { readonly outputNames: readonly string[] }>>,
  expected: readonly string[],
): void {
  const found = Object.values(sessions).flatMap(({ outputNames }) => outputNames);
  if (expected.some((name) => found.includes(name))) return;
  throw new Error(`expected an output ${expected.join(' or ')} in onnx/model.onnx, found ${found.join(', ')}`);
}
