import { RerankingFailed, type Reranker } from '@quarry/embedder';
import { FORMS, type RerankForm, type RerankScore } from './rerank-forms.js';

export interface HttpRerankerSettings {
  readonly form: RerankForm;
  /** The whole address, such as `https://api.cohere.com/v2/rerank`. */
  readonly url: string;
  /** Undefined: the server has one. */
  readonly model?: string;
  readonly apiKey?: string;
}

const MAX_REASON = 300;

/** A reranker behind an address. It is asked once: whoever waits for a search does not wait for a second try. */
export function openHttpReranker(settings: HttpRerankerSettings): Reranker {
  const { form, model } = settings;
  const ask = async (query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]> => {
    const answer = await post(settings, FORMS[form].body({ model, query, texts }), signal);
    const scores = FORMS[form].scores(answer);
    if (scores === undefined) throw failed(settings, `scores as ${form} has them were expected, found none`);
    return inOrder(settings, scores, texts.length);
  };
  return {
    model: model ?? settings.url,
    rerank: async (query, texts, { signal = new AbortController().signal } = {}) => {
      signal.throwIfAborted();
      const batches = batchesOf(texts, FORMS[form].texts);
      const scores = await Promise.all(batches.map(async (batch) => ask(query, batch, signal)));
      return probabilities(scores.flat());
    },
  };
}

function batchesOf(texts: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size));
}

async function post(settings: HttpRerankerSettings, body: object, signal: AbortSignal): Promise<unknown> {
  const { url, apiKey } = settings;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
    const text = await response.text();
    if (!response.ok) throw failed(settings, `${response.status} ${text.replace(/\s+/g, ' ').slice(0, MAX_REASON)}`);
    return JSON.parse(text);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RerankingFailed) throw error;
    throw failed(settings, reasonOf(error), error);
  }
}

/** @throws RerankingFailed where not every text has a score */
function inOrder(settings: HttpRerankerSettings, found: readonly RerankScore[], texts: number): readonly number[] {
  const scores = new Map(found.map(({ index, score }) => [index, score]));
  return Array.from({ length: texts }, (_, index) => {
    const score = scores.get(index);
    if (score === undefined) throw failed(settings, `${texts} scores were expected, found none for text ${index}`);
    return score;
  });
}

/** Some servers (llama.cpp) give logits, which the logistic function brings into [0, 1]. */
function probabilities(scores: readonly number[]): readonly number[] {
  if (scores.every((score) => score >= 0 && score <= 1)) return scores;
  return scores.map((score) => 1 / (1 + Math.exp(-score)));
}

function failed({ url, model }: HttpRerankerSettings, reason: string, cause?: unknown): RerankingFailed {
  return new RerankingFailed(`the reranker ${model ?? ''} at ${url}: ${reason}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
