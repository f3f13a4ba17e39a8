/** How rerankers are asked over HTTP: Cohere's, which many others have; Jina's, which is nearly the same; that of Hugging Face's TEI. */
export const RERANK_FORMS = ['cohere', 'jina', 'tei'] as const;
export type RerankForm = (typeof RERANK_FORMS)[number];

export interface RerankQuestion {
  readonly model: string | undefined;
  readonly query: string;
  readonly texts: readonly string[];
}

/** A text's place among those that were sent, and its score. */
export interface RerankScore {
  readonly index: number;
  readonly score: number;
}

interface Form {
  /** The most texts of one request. */
  readonly texts: number;
  readonly body: (question: RerankQuestion) => object;
  /** @returns undefined where it is not what the form has */
  readonly scores: (answer: unknown) => readonly RerankScore[] | undefined;
}

export const FORMS: Readonly<Record<RerankForm, Form>> = {
  // https://docs.cohere.com/reference/rerank: what is too long for the model is cut there.
  cohere: {
    texts: 1_000,
    body: ({ model, query, texts }) => ({ model, query, documents: texts, top_n: texts.length }),
    scores: (answer) => scoresIn(property(answer, 'results'), 'relevance_score'),
  },
  // https://jina.ai/reranker, vLLM, llama.cpp, Infinity.
  jina: {
    texts: 1_000,
    body: ({ model, query, texts }) => ({
      ...{ model, query, documents: texts, top_n: texts.length },
      return_documents: false,
    }),
    scores: (answer) => scoresIn(property(answer, 'results'), 'relevance_score'),
  },
  // https://huggingface.github.io/text-embeddings-inference: one model a server, and 32 texts a request unless it is told otherwise.
  tei: {
    texts: 32,
    body: ({ query, texts }) => ({ query, texts, raw_scores: false, truncate: true }),
    scores: (answer) => scoresIn(answer, 'score'),
  },
};

function scoresIn(list: unknown, name: string): readonly RerankScore[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const scores = list.map((entry: unknown) => ({ index: property(entry, 'index'), score: property(entry, name) }));
  return scores.every(isScore) ? scores : undefined;
}

function isScore(entry: { readonly index: unknown; readonly score: unknown }): entry is RerankScore {
  return Number.isInteger(entry.index) && Number.isFinite(entry.score);
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
