import { RerankingFailed, type Reranker } from '@quarry/embedder';
import { redactSecretInText } from '@quarry/encrypted-secrets';
import { readLimitedText, readErrorText } from '@quarry/http-responses';
import { PROTOCOLS, type RerankForm, type RerankScore } from './rerank-protocols.js';

export interface HttpRerankerSettings {
  readonly form: RerankForm;
  /** The complete address of the reranker, such as `https://api.cohere.com/v2/rerank`. */
  readonly url: string;
  /** Name of the model. Undefined if the server has only one model. */
  readonly model?: string;
  readonly apiKey?: string;
}

const MAX_REASON = 300;
/** Maximum size of a response in bytes. It is large, because some servers return each text with its score. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Opens a reranker that is called over HTTP. It does not retry a failed request, because a user waits for the search.
 */
export function openHttpReranker(settings: HttpRerankerSettings): Reranker {
  const { form, model } = settings;
  const requestScores = async (
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[]> => {
    const answer = await postJson(settings, PROTOCOLS[form].buildRequestBody({ model, query, texts }), signal);
    const scores = PROTOCOLS[form].extractScores(answer);
    if (scores === undefined)
      throw createRerankingError(settings, `expected scores in the format of ${form}, found another response`);
    return orderScoresByText(settings, scores, texts.length);
  };
  return {
    model: model ?? settings.url,
    rerank: async (query, texts, { signal = new AbortController().signal } = {}) => {
      signal.throwIfAborted();
      const batches = splitIntoBatches(texts, PROTOCOLS[form].maxTexts);
      const scores = await Promise.all(batches.map(async (batch) => requestScores(query, batch, signal)));
      return convertToProbabilities(scores.flat());
    },
  };
}

function splitIntoBatches(texts: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size));
}

async function postJson(settings: HttpRerankerSettings, body: object, signal: AbortSignal): Promise<unknown> {
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
    if (!response.ok) {
      const text = await readErrorText(response.body);
      throw createRerankingError(settings, `${response.status} ${formatErrorReason(text, apiKey)}`);
    }
    return JSON.parse(await readLimitedText(response.body, MAX_RESPONSE_BYTES));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RerankingFailed) throw error;
    throw createRerankingError(settings, getErrorMessage(error), error);
  }
}

/** Shortens the text of an error response, and redacts the API key, because some servers quote the key. */
function formatErrorReason(text: string, apiKey: string | undefined): string {
  return redactSecretInText(text, apiKey).replace(/\s+/g, ' ').slice(0, MAX_REASON).toWellFormed();
}

/** Returns the scores in the order of the texts. @throws RerankingFailed when a text has no score */
function orderScoresByText(
  settings: HttpRerankerSettings,
  found: readonly RerankScore[],
  texts: number,
): readonly number[] {
  const scores = new Map(found.map(({ index, score }) => [index, score]));
  return Array.from({ length: texts }, (_, index) => {
    const score = scores.get(index);
    if (score === undefined)
      throw createRerankingError(settings, `expected ${texts} scores, found none for text ${index}`);
    return score;
  });
}

/**
 * Returns scores in [0, 1]. If a score is outside this range, the scores are logits, as from llama.cpp. Maps logits
 * with the logistic function.
 */
function convertToProbabilities(scores: readonly number[]): readonly number[] {
  if (scores.every((score) => score >= 0 && score <= 1)) return scores;
  return scores.map((score) => 1 / (1 + Math.exp(-score)));
}

function createRerankingError({ url, model }: HttpRerankerSettings, reason: string, cause?: unknown): RerankingFailed {
  return new RerankingFailed(`the reranker ${model === undefined ? '' : `${model} `}at ${url} failed: ${reason}`, {
    cause,
  });
}

function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
