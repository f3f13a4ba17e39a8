import {
  embeddingSources,
  EmbeddingVariables,
  rerankingProblems,
  rerankingSource,
  RerankingVariables,
  type EmbeddingSources,
  type RerankingSource,
} from '@quarry/embedder-factory';
import { ConfigurationError, parseEnvironment, readParts } from '@quarry/service-kit';
import { IntegerFromText, NumberFromText } from '@quarry/validation';
import { readModelSettings } from './models/model-environment.js';
import type { ModelSettings } from './models/model-settings.js';
import type { AdmissionLimits } from './retrieval/search-admission.js';

/** How a query service behaves, wherever it runs. */
export interface QuerySettings {
  readonly models: ModelSettings;
  /** Undefined: all datastores are searched by words alone. */
  readonly embedding: EmbeddingSources | undefined;
  readonly admissionLimits: AdmissionLimits;
  readonly denseWeight: number;
  /** Undefined: passages stand as they were found. */
  readonly reranking: RerankingSettings | undefined;
  readonly promptTokens: number;
  readonly rewriteMs: number;
}

export interface RerankingSettings {
  readonly source: RerankingSource;
  /** How many of the best passages are put into a new order. */
  readonly candidates: number;
  readonly timeoutMs: number;
}

/** The variables that have defaults, beside those of the model providers. */
class Environment extends EmbeddingVariables {
  /** Searches that a replica runs at once. */
  @IntegerFromText({ min: 1, max: 10_000 })
  readonly QUARRY_SEARCHES_AT_ONCE: number = 16;

  /** Searches that wait for one of these to end. Further ones are refused. */
  @IntegerFromText({ min: 0, max: 100_000 })
  readonly QUARRY_SEARCHES_WAITING: number = 500;

  /** The longest wait of a search. */
  @IntegerFromText({ min: 1, max: 15_000 })
  readonly QUARRY_SEARCH_WAIT_MS: number = 5_000;

  /** The weight of dense search beside lexical search: 0 is words alone, 1 is meaning alone. */
  @NumberFromText({ min: 0, max: 1 })
  readonly QUARRY_DENSE_WEIGHT: number = 0.6;

  /** About how many tokens a prompt may have, with instructions, knowledge, history and question. */
  @IntegerFromText({ min: 1_000, max: 1_000_000 })
  readonly QUARRY_PROMPT_TOKENS: number = 12_000;

  /** How long an answer waits for the model to rewrite a question that goes back to what was said before; 0: none is rewritten. */
  @IntegerFromText({ min: 0, max: 60_000 })
  readonly QUARRY_REWRITE_TIMEOUT_MS: number = 2_000;
}

/** @throws ConfigurationError with the problems */
export function readQuerySettings(environment: NodeJS.ProcessEnv): QuerySettings {
  const { own, ...parts } = readParts(environment, {
    own: (variables) => parseEnvironment(Environment, variables),
    models: readModelSettings,
    reranking: readReranking,
  });
  return {
    ...parts,
    embedding: embeddingSources(own),
    admissionLimits: {
      running: own.QUARRY_SEARCHES_AT_ONCE,
      waiting: own.QUARRY_SEARCHES_WAITING,
      waitMs: own.QUARRY_SEARCH_WAIT_MS,
    },
    denseWeight: own.QUARRY_DENSE_WEIGHT,
    promptTokens: own.QUARRY_PROMPT_TOKENS,
    rewriteMs: own.QUARRY_REWRITE_TIMEOUT_MS,
  };
}

function readReranking(environment: NodeJS.ProcessEnv): RerankingSettings | undefined {
  const variables = parseEnvironment(RerankingVariables, environment);
  const problems = rerankingProblems(variables);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const source = rerankingSource(variables);
  if (source === undefined) return undefined;
  return { source, candidates: variables.QUARRY_RERANK_CANDIDATES, timeoutMs: variables.QUARRY_RERANK_TIMEOUT_MS };
}
