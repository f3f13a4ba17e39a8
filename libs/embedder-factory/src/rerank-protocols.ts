/**
 * The supported protocols of rerankers: `cohere`, which many servers implement, `jina`, which is similar, and `tei` of
 * Hugging Face TEI.
 */
export const RERANK_FORMS = ['cohere', 'jina', 'tei'] as const;
export type RerankForm = (typeof RERANK_FORMS)[number];

export interface RerankQuestion {
  readonly model: string | undefined;
  readonly query: string;
  readonly texts: readonly string[];
}

/** Describes the score of a text, and the index of the text in the request. */
export interface RerankScore {
  readonly index: number;
  readonly score: number;
}

interface RerankProtocol {
  /** Maximum number of texts that the protocol allows per request. */
  readonly maxTexts: number;
  /** Builds the body of a request. */
  readonly buildRequestBody: (question: RerankQuestion) => object;
  /** Extracts the scores of a response. @returns undefined when the response has another format */
  readonly extractScores: (answer: unknown) => readonly RerankScore[] | undefined;
}

export const PROTOCOLS: Readonly<Record<RerankForm, RerankProtocol>> = {
  // Source: https://docs.cohere.com/reference/rerank. The server truncates texts that are too long for the model.
  cohere: {
    maxTexts: 1_000,
    buildRequestBody: ({ model, query, texts }) => ({ model, query, documents: texts, top_n: texts.length }),
    extractScores: (answer) => parseScores(getFieldOrUndefined(answer, 'results'), 'relevance_score'),
  },
  // This protocol is implemented by https://jina.ai/reranker, vLLM, llama.cpp and Infinity.
  jina: {
    maxTexts: 1_000,
    buildRequestBody: ({ model, query, texts }) => ({
      ...{ model, query, documents: texts, top_n: texts.length },
      return_documents: false,
    }),
    extractScores: (answer) => parseScores(getFieldOrUndefined(answer, 'results'), 'relevance_score'),
  },
  // Source: https://huggingface.github.io/text-embeddings-inference. A server has one model, and allows 32 texts per
  // request.
  tei: {
    maxTexts: 32,
    buildRequestBody: ({ query, texts }) => ({ query, texts, raw_scores: false, truncate: true }),
    extractScores: (answer) => parseScores(answer, 'score'),
  },
};

/** Parses a list of objects, each with an `index` and with a score in the field `scoreField`. */
function parseScores(list: unknown, scoreField: string): readonly RerankScore[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const scores = list.map((entry: unknown) => ({
    index: getFieldOrUndefined(entry, 'index'),
    score: getFieldOrUndefined(entry, scoreField),
  }));
  return scores.every(isRerankScore) ? scores : undefined;
}

function isRerankScore(entry: { readonly index: unknown; readonly score: unknown }): entry is RerankScore {
  return Number.isInteger(entry.index) && Number.isFinite(entry.score);
}

function getFieldOrUndefined(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
